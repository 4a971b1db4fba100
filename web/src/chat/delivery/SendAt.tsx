import { $, component$, type QRL, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../../base/useBrowserTask.ts"
import type { UserItem } from "../../core/conversation/chatTypes.ts"
import { say } from "../../core/language/say.ts"
import { fieldTime, timeInField } from "./fieldTime.ts"
import type { QueueActions } from "./QueueActions.ts"

interface SendAtProps {
  readonly item: UserItem
  readonly actions: QueueActions
  readonly onDone$: QRL<() => void>
}

/** The time before which a waiting message isn't sent. */
export const SendAt = component$<SendAtProps>((props) => {
  const field = useSignal<HTMLInputElement>()
  const problem = useSignal<string | null>(null)

  useBrowserTask$(() => {
    if (field.value === undefined) return
    const known = props.item.waits?.notBefore
    field.value.value = fieldTime(known ?? Date.now() + 60 * 60_000)
    field.value.focus()
  })

  const save = $(async () => {
    const at = timeInField(field.value?.value ?? "")
    if (at === null || at <= Date.now()) {
      problem.value = say("Choose a time in the future.")
      return
    }
    if (await props.actions.change(props.item, { notBefore: at })) props.onDone$()
  })

  return (
    <form class="stack gap-2 delivery-form" aria-label={say("Send at a time")} preventdefault:submit onSubmit$={save}>
      <label class="row wrap gap-2">
        <span>{say("Send at")}</span>
        <input
          ref={field}
          class="field"
          type="datetime-local"
          aria-invalid={problem.value !== null}
          onKeyDown$={(event) => {
            if (event.key !== "Escape") return
            event.stopPropagation()
            props.onDone$()
          }}
        />
      </label>
      {problem.value !== null && <p role="alert">{problem.value}</p>}
      <div class="delivery">
        <button type="button" class="button is-small" onClick$={() => props.onDone$()}>
          {say("Cancel")}
        </button>
        <button type="submit" class="button is-small is-primary">
          {say("Set the time")}
        </button>
      </div>
    </form>
  )
})

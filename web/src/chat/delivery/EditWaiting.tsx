import { $, component$, type QRL, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../../base/useBrowserTask.ts"
import { joinMessage, splitMessage } from "../../core/composer/messageFiles.ts"
import type { UserItem } from "../../core/conversation/chatTypes.ts"
import { say } from "../../core/language/say.ts"
import { tooLongText } from "../../core/outbox/outboxMessage.ts"
import { growWithText } from "../../ui/growWithText.ts"
import type { QueueActions } from "./QueueActions.ts"

/** What was typed for each message. */
const typed = new Map<string, string>()

interface EditWaitingProps {
  readonly item: UserItem
  readonly actions: QueueActions
  readonly onDone$: QRL<() => void>
}

/** Changes the words of a message that waits, at its place in the queue. */
export const EditWaiting = component$<EditWaitingProps>((props) => {
  const field = useSignal<HTMLTextAreaElement>()
  const busy = useSignal(false)
  const tooLong = useSignal<string | null>(null)

  useBrowserTask$(() => {
    const area = field.value
    if (area === undefined) return
    area.value = typed.get(props.item.key) ?? splitMessage(props.item.text).words
    growWithText(area)
    area.focus()
  })

  const end = $(() => {
    typed.delete(props.item.key)
    return props.onDone$()
  })
  const save = $(async () => {
    const { files } = splitMessage(props.item.text)
    const text = joinMessage({ words: field.value?.value ?? "", files })
    tooLong.value = tooLongText(text)
    if (tooLong.value !== null) return
    busy.value = true
    // Without any words it's still there, to be taken back.
    const isDone = text === props.item.text || (await props.actions.change(props.item, { text }))
    busy.value = false
    if (isDone) end()
  })

  return (
    <form class="delivery-form" aria-label={say("Edit the waiting message")} preventdefault:submit onSubmit$={save}>
      <textarea
        ref={field}
        class="field"
        rows={2}
        readOnly={busy.value}
        aria-label={say("Message")}
        onInput$={(_, area) => {
          typed.set(props.item.key, area.value)
          growWithText(area)
        }}
        onKeyDown$={(event) => {
          if (event.key === "Escape") {
            event.stopPropagation()
            end()
          } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save()
        }}
      />
      {tooLong.value !== null && (
        <p class="delivery-error" role="alert">
          {tooLong.value}
        </p>
      )}
      <div class="delivery">
        <button type="button" class="button is-small" onClick$={end}>
          {say("Cancel")}
        </button>
        <button type="submit" class="button is-small is-primary" disabled={busy.value}>
          {say("Save")}
        </button>
      </div>
    </form>
  )
})

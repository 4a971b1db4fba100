import { component$, type QRL, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { say } from "../core/language/say.ts"

/** What was typed for each item: undoing or cancelling loses no words. */
const typed = new Map<string, string>()

interface SendBackFormProps {
  readonly itemId: string
  readonly label: string
  readonly onSend$: QRL<(text: string) => unknown>
  readonly onCancel$: QRL<() => unknown>
}

/** The words that go along with a decision. */
export const SendBackForm = component$<SendBackFormProps>((props) => {
  const text = useSignal(() => typed.get(props.itemId) ?? "")
  const field = useSignal<HTMLTextAreaElement>()
  useBrowserTask$(() => field.value?.focus())
  return (
    <form class="stack gap-3 question-form" preventdefault:submit onSubmit$={() => props.onSend$(text.value.trim())}>
      <textarea
        ref={field}
        class="field"
        rows={3}
        aria-label={say("What should change")}
        placeholder={say("What should change?")}
        value={text.value}
        onInput$={(_, element) => {
          text.value = element.value
          typed.set(props.itemId, element.value)
        }}
      />
      <div class="row wrap gap-2 approval-answers">
        <button type="submit" class="button is-small is-primary" disabled={text.value.trim() === ""}>
          {props.label}
        </button>
        <button type="button" class="button is-small" onClick$={() => props.onCancel$()}>
          {say("Cancel")}
        </button>
      </div>
    </form>
  )
})

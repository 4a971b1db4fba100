import { component$, useContext, useSignal } from "@builder.io/qwik"
import { ChatContext, NO_CHAT } from "../base/ChatContext.ts"
import "./messageMedia.css"
import { say } from "../core/language/say.ts"

interface CutNoteProps {
  readonly itemKey: string
  /** What was cut. */
  readonly what: "response" | "message"
  /** None of it arrived. */
  readonly empty: boolean
}

/** Says that the gateway sent only the beginning of a message, or nothing, and offers all of it. */
export const CutNote = component$<CutNoteProps>((props) => {
  const chat = useContext(ChatContext, NO_CHAT)
  const busy = useSignal(false)
  const problem = useSignal<string | null>(null)
  const { empty, itemKey, what } = props
  return (
    <div class="row wrap soft small cut-note">
      <p role={problem.value === null ? undefined : "alert"}>
        {problem.value ??
          (what === "response"
            ? empty
              ? say("The gateway left out this response because it's very long.")
              : say("The gateway only sent the beginning of this response.")
            : empty
              ? say("The gateway left out this message because it's very long.")
              : say("The gateway only sent the beginning of this message."))}
      </p>
      <button
        type="button"
        class="button is-small"
        disabled={busy.value}
        onClick$={async () => {
          busy.value = true
          const done = await chat.readWhole(itemKey)
          problem.value = done.ok ? null : done.message
          busy.value = false
        }}
      >
        {busy.value ? say("Loading…") : what === "response" ? say("Show full response") : say("Show full message")}
      </button>
    </div>
  )
})

import { component$, useSignal } from "@builder.io/qwik"
import { say } from "../../core/language/say.ts"
import { shortened } from "../../core/text/longText.ts"

/** Characters shown of a text too long to format, before the rest is requested. */
const SHOWN = 20_000

interface LongTextProps {
  readonly text: string
  /** All of it from the start. */
  readonly isWhole?: boolean
}

/** A text too long to format: plain, and partial until all of it is requested. */
export const LongText = component$<LongTextProps>((props) => {
  const all = useSignal(props.isWhole === true)
  const cut = shortened(props.text, all.value ? Number.POSITIVE_INFINITY : SHOWN)
  return (
    <div class="long-text">
      <p class="plain">{cut.text}</p>
      {cut.hidden > 0 && (
        <button
          type="button"
          class="button is-small"
          onClick$={() => {
            all.value = true
          }}
        >
          {say("Show all (+{count})", { count: cut.hidden })}
        </button>
      )}
    </div>
  )
})

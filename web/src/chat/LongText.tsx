import { component$, useSignal } from "@builder.io/qwik"
import { shortened } from "./toolText.ts"

/** Characters of a text too long for formatting that are shown before the rest is asked for. */
const SHOWN = 20_000

/** A text that is too long to be formatted: plain, and in part until all of it is wanted. */
export const LongText = component$<{ readonly text: string }>((props) => {
  const all = useSignal(false)
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
          {`Show all (${cut.hidden.toLocaleString()} more characters)`}
        </button>
      )}
    </div>
  )
})

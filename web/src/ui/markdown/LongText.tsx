import { component$, useSignal } from "@builder.io/qwik"
import { say } from "../../core/language/say.ts"
import { shortened } from "../../core/text/shortened.ts"

/** Characters shown of a text too long to format, before the rest is requested. */
const SHOWN = 20_000

/** A text too long to format: plain, and partial until all of it is requested. */
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
          {say("Show all (+{count})", { count: cut.hidden })}
        </button>
      )}
    </div>
  )
})

import { component$, useSignal } from "@builder.io/qwik"
import { say } from "../core/language/say.ts"
import { copyText } from "./copyText.ts"
import { Icon } from "./Icon.tsx"

/** Copies a text; confirms it for two seconds. */
export const CopyButton = component$<{ readonly text: string; readonly label: string }>((props) => {
  const copied = useSignal(false)
  return (
    <button
      type="button"
      class="icon-button copy-button"
      aria-label={copied.value ? say("Copied") : props.label}
      title={copied.value ? say("Copied") : props.label}
      onClick$={async () => {
        copied.value = await copyText(props.text)
        setTimeout(() => {
          copied.value = false
        }, 2000)
      }}
    >
      <Icon name={copied.value ? "check" : "copy"} />
    </button>
  )
})

import { component$, type QRL, Slot, useSignal } from "@builder.io/qwik"
import { say } from "../core/language/say.ts"
import { Icon } from "./Icon.tsx"

interface ErrorStateProps {
  readonly title: string
  /** Why, and what can be done, in a sentence for people. */
  readonly text?: string
  /** Tries again; the button waits for it. Without it there is no button. */
  readonly onRetry$?: QRL<() => unknown>
}

/** Shown where something couldn't be loaded, with the reason and a way out. */
export const ErrorState = component$<ErrorStateProps>((props) => {
  const trying = useSignal(false)
  return (
    <div class="state is-error" role="alert">
      <Icon name="triangle-alert" />
      <p class="state-title">{props.title}</p>
      {props.text !== undefined && <p>{props.text}</p>}
      {props.onRetry$ !== undefined && (
        <button
          type="button"
          class="button"
          disabled={trying.value}
          onClick$={async () => {
            trying.value = true
            await props.onRetry$?.()
            trying.value = false
          }}
        >
          {trying.value ? say("Trying…") : say("Try again")}
        </button>
      )}
      <Slot />
    </div>
  )
})

import { component$, type QRL, Slot, useSignal } from "@builder.io/qwik"
import { say } from "../core/language/say.ts"
import { Lighthouse } from "./Lighthouse.tsx"

interface ErrorStateProps {
  /** What happened. */
  readonly title: string
  /** Why, and what becomes of it, in a sentence for people. */
  readonly text?: string
  /** What was asked for isn't there, but nothing is broken. */
  readonly isMissing?: true
  /** The title is that of the whole page. */
  readonly isPage?: true
  /** The button that mends it; "Try again" if it's left out. */
  readonly action?: string
  /** Where the button leads. */
  readonly href?: string
  /** What the button does, which waits for it. Without it and `href` there is no button. */
  readonly onRetry$?: QRL<() => unknown>
}

/** The one way to say that something can't be shown: what happened, why, and the button that mends it. */
export const ErrorState = component$<ErrorStateProps>((props) => {
  const trying = useSignal(false)
  const { action, href, isMissing, isPage, onRetry$, text, title } = props
  const label = action ?? say("Try again")
  return (
    <div
      class={["state", isMissing === true ? "is-missing" : "is-error", isPage === true && "is-page"]}
      role={isMissing === true ? "status" : "alert"}
    >
      <Lighthouse state={isMissing === true ? "lit" : "dark"} />
      {isPage === true ? <h1 class="state-title">{title}</h1> : <p class="state-title">{title}</p>}
      {text !== undefined && <p>{text}</p>}
      {href !== undefined && (
        <a class="button is-primary" href={href}>
          {label}
        </a>
      )}
      {onRetry$ !== undefined && (
        <button
          type="button"
          class="button is-primary"
          disabled={trying.value}
          onClick$={async () => {
            trying.value = true
            await onRetry$()
            trying.value = false
          }}
        >
          {trying.value && action === undefined ? say("Trying…") : label}
        </button>
      )}
      <Slot />
    </div>
  )
})

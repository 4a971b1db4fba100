import { component$, type QRL } from "@builder.io/qwik"
import { keyOf } from "../core/inbox/kindText.ts"

interface ActionButtonProps {
  readonly action: string
  readonly label: string
  readonly isPrimary?: boolean
  readonly isDisabled: boolean
  readonly title?: string
  /** The id of what explains it. */
  readonly describedBy?: string
  readonly onPress$?: QRL<() => unknown>
}

/** Decides an item. In the inbox its key works too, and is shown on it. */
export const ActionButton = component$<ActionButtonProps>((props) => {
  const key = keyOf(props.action)
  return (
    <button
      type="button"
      class={["button is-small", props.isPrimary === true && "is-primary"]}
      title={props.title ?? ""}
      aria-describedby={props.describedBy}
      disabled={props.isDisabled}
      data-action={props.action}
      onClick$={() => props.onPress$?.()}
    >
      <span>{props.label}</span>
      {key !== null && (
        <span class="action-key" aria-hidden="true">
          {key.toUpperCase()}
        </span>
      )}
    </button>
  )
})

import { component$, Slot } from "@builder.io/qwik"
import { Icon, type IconName } from "./Icon.tsx"

interface EmptyStateProps {
  readonly icon: IconName
  readonly title: string
  /** What to do next, in a sentence. */
  readonly text?: string
}

/** Shown where there is nothing yet, with what to do next; the control for it goes into the slot. */
export const EmptyState = component$<EmptyStateProps>((props) => (
  <div class="state">
    <span class="state-art">
      <Icon name={props.icon} />
    </span>
    <p class="state-title">{props.title}</p>
    {props.text !== undefined && <p>{props.text}</p>}
    <Slot />
  </div>
))

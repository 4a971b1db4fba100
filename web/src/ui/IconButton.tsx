import type { PropsOf } from "@builder.io/qwik"
import { Icon, type IconName } from "./Icon.tsx"

interface IconButtonProps {
  readonly icon: IconName
  /** What it does, for who doesn't see the icon and for who points at it. */
  readonly label: string
  /** Says more to who points at it, such as its key. */
  readonly title?: string
  readonly class?: string
  readonly onClick$: PropsOf<"button">["onClick$"]
}

/** A button that is only an icon. */
export const IconButton = (props: IconButtonProps) => {
  const { icon, label, onClick$, title } = props
  return (
    <button
      type="button"
      class={["icon-button", props.class]}
      aria-label={label}
      title={title ?? label}
      onClick$={onClick$}
    >
      <Icon name={icon} />
    </button>
  )
}

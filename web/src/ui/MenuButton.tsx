import { component$, useId, useSignal } from "@builder.io/qwik"
import { Icon, type IconName } from "./Icon.tsx"
import { Menu, type MenuItem } from "./Menu.tsx"

interface MenuButtonProps {
  /** The name of the button and its menu. */
  readonly label: string
  readonly items: ReadonlyArray<MenuItem>
  /** More of them, under a heading. */
  readonly group?: { readonly label: string; readonly items: ReadonlyArray<MenuItem> }
  /** Shown on the button; defaults to the three dots. */
  readonly icon?: IconName
  /** A word next to the icon; otherwise the button is only the icon. */
  readonly text?: string
  readonly disabled?: boolean
}

/** A button that opens a menu, also by the arrows. */
export const MenuButton = component$<MenuButtonProps>((props) => {
  const id = useId()
  const button = useSignal<HTMLButtonElement>()
  const open = useSignal(false)
  const icon = props.icon ?? "ellipsis"
  return (
    <>
      <button
        ref={button}
        type="button"
        class={props.text === undefined ? "icon-button" : "button is-small"}
        popovertarget={id}
        aria-haspopup="menu"
        aria-expanded={open.value ? "true" : "false"}
        aria-label={props.text === undefined ? props.label : undefined}
        title={props.label}
        disabled={props.disabled === true}
        onKeyDown$={(event, opener) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return
          event.preventDefault()
          opener.click()
        }}
      >
        <Icon name={icon} />
        {props.text !== undefined && <span>{props.text}</span>}
      </button>
      <Menu
        {...props}
        id={id}
        opener={() => button.value}
        onToggle={(isOpen) => {
          open.value = isOpen
        }}
      />
    </>
  )
})

import { component$, useId, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { Icon, type IconName } from "./Icon.tsx"
import { menuKey } from "./menuKeys.ts"
import { placeBeside } from "./placeBeside.ts"
import "./menu.css"

export interface MenuItem {
  /** Stays the same as long as the item is the same; defaults to the label. */
  readonly id?: string
  readonly label: string
  readonly icon?: IconName
  readonly danger?: boolean
  readonly disabled?: boolean
  /** Drawn with a tick if it is a choice; left out for plain actions. */
  readonly checked?: boolean
  readonly run: () => unknown
}

interface MenuButtonProps {
  /** The name of the button and its menu. */
  readonly label: string
  readonly items: ReadonlyArray<MenuItem>
  /** Shown on the button; defaults to the three dots. */
  readonly icon?: IconName
  /** A word next to the icon; otherwise the button is only the icon. */
  readonly text?: string
  readonly disabled?: boolean
}

/** A button that opens a menu: arrows, Home, End and first letters move through it, Escape and Tab leave it. */
export const MenuButton = component$<MenuButtonProps>((props) => {
  const id = useId()
  const button = useSignal<HTMLButtonElement>()
  const menu = useSignal<HTMLElement>()
  const open = useSignal(false)

  useVisibleTask$(
    ({ cleanup }) => {
      const popup = menu.value
      const opener = button.value
      if (popup === undefined || opener === undefined) return
      const entries = () => [...popup.querySelectorAll<HTMLElement>("[role^=menuitem]:not(:disabled)")]
      const place = () => {
        popup.style.maxBlockSize = ""
        const at = placeBeside(opener.getBoundingClientRect(), popup.getBoundingClientRect(), {
          width: document.documentElement.clientWidth,
          height: window.innerHeight
        })
        popup.style.insetInlineStart = `${at.left}px`
        popup.style.insetBlockStart = `${at.top}px`
        popup.style.maxBlockSize = `${at.maxHeight}px`
      }
      const onToggle = (event: Event) => {
        open.value = event instanceof ToggleEvent && event.newState === "open"
        if (!open.value) return
        place()
        entries()[0]?.focus()
      }
      const onButtonKey = (event: KeyboardEvent) => {
        if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return
        event.preventDefault()
        popup.showPopover({ source: opener })
      }
      const onMenuKey = (event: KeyboardEvent) => {
        const all = entries()
        const focused = all.findIndex((entry) => entry.matches(":focus"))
        const move = menuKey(
          event,
          focused,
          all.map((entry) => entry.textContent ?? "")
        )
        if (move === null) return
        event.preventDefault()
        event.stopPropagation()
        if (move === "close") {
          popup.hidePopover()
          opener.focus()
        } else all[move]?.focus()
      }
      const onLeave = (event: FocusEvent) => {
        if (event.relatedTarget instanceof Node && !popup.contains(event.relatedTarget)) popup.hidePopover()
      }
      const onChoose = () => {
        popup.hidePopover()
      }
      popup.addEventListener("toggle", onToggle)
      popup.addEventListener("keydown", onMenuKey)
      popup.addEventListener("focusout", onLeave)
      popup.addEventListener("click", onChoose)
      opener.addEventListener("keydown", onButtonKey)
      window.addEventListener("resize", onChoose)
      cleanup(() => {
        popup.removeEventListener("toggle", onToggle)
        popup.removeEventListener("keydown", onMenuKey)
        popup.removeEventListener("focusout", onLeave)
        popup.removeEventListener("click", onChoose)
        opener.removeEventListener("keydown", onButtonKey)
        window.removeEventListener("resize", onChoose)
      })
    },
    { strategy: "document-ready" }
  )

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
      >
        <Icon name={icon} />
        {props.text !== undefined && <span>{props.text}</span>}
      </button>
      <div ref={menu} id={id} class="menu" popover="auto" role="menu" aria-label={props.label}>
        {props.items.map((item) => (
          <MenuEntry key={item.id ?? item.label} item={item} />
        ))}
      </div>
    </>
  )
})

const MenuEntry = component$<{ readonly item: MenuItem }>((props) => {
  const { label, checked, disabled } = props.item
  const icon = checked === true ? "check" : props.item.icon
  const kind =
    checked === undefined
      ? { role: "menuitem" as const }
      : { role: "menuitemradio" as const, "aria-checked": checked ? ("true" as const) : ("false" as const) }
  return (
    <button
      {...kind}
      type="button"
      tabIndex={-1}
      class={["menu-item", props.item.danger === true && "is-danger"]}
      disabled={disabled === true}
      onClick$={() => props.item.run()}
    >
      <span class="menu-icon">{icon !== undefined && <Icon name={icon} />}</span>
      <span>{label}</span>
    </button>
  )
})

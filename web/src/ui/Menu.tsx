import { component$, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { Icon, type IconName } from "./Icon.tsx"
import { menuKey } from "./menuKeys.ts"
import { placeBeside } from "./placeBeside.ts"

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

interface MenuProps {
  readonly id: string
  readonly label: string
  readonly items: ReadonlyArray<MenuItem>
  /** More of them, under a heading. */
  readonly group?: { readonly label: string; readonly items: ReadonlyArray<MenuItem> }
  /** Opens as soon as it's drawn, not by a button with its id as `popovertarget`. */
  readonly atOnce?: boolean
  /** What it opens beside, and what gets the focus back. */
  readonly opener: () => HTMLElement | null | undefined
  /** Where it opens, if not beside the opener. */
  readonly anchor?: DOMRect
  readonly onToggle: (open: boolean) => void
}

/** A menu: arrows, Home, End and first letters move through it, Escape and Tab leave it. */
export const Menu = component$<MenuProps>((props) => {
  const menu = useSignal<HTMLElement>()
  const leave = () => {
    menu.value?.hidePopover()
    props.opener()?.focus()
  }

  useBrowserTask$(({ cleanup }) => {
    const popup = menu.value
    if (popup === undefined) return
    const entries = () => [...popup.querySelectorAll<HTMLElement>("[role^=menuitem]:not(:disabled)")]
    const show = () => {
      const anchor = props.anchor ?? props.opener()?.getBoundingClientRect()
      if (anchor === undefined) return
      popup.style.maxBlockSize = ""
      const at = placeBeside(anchor, popup.getBoundingClientRect(), {
        width: document.documentElement.clientWidth,
        height: window.innerHeight
      })
      popup.style.insetInlineStart = `${at.left}px`
      popup.style.insetBlockStart = `${at.top}px`
      popup.style.maxBlockSize = `${at.maxHeight}px`
      const checked = popup.querySelector<HTMLElement>("[aria-checked=true]")
      ;(checked ?? entries()[0])?.focus()
    }
    const hide = () => popup.hidePopover()
    popup.addEventListener("toggle", () => {
      const isOpen = popup.matches(":popover-open")
      if (isOpen && props.atOnce !== true) show()
      props.onToggle(isOpen)
    })
    popup.addEventListener("keydown", (event) => {
      const all = entries()
      const move = menuKey(
        event,
        all.findIndex((entry) => entry.matches(":focus")),
        all.map((entry) => entry.textContent ?? "")
      )
      if (move === null) return
      event.preventDefault()
      event.stopPropagation()
      if (move === "close") leave()
      else all[move]?.focus()
    })
    popup.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget instanceof Node && !popup.contains(relatedTarget)) hide()
    })
    window.addEventListener("resize", hide)
    cleanup(() => window.removeEventListener("resize", hide))
    if (props.atOnce !== true) return
    popup.showPopover()
    // Before its event, so that it's never drawn where it doesn't belong.
    show()
  })

  const { group } = props
  const drawn = (item: MenuItem) => <MenuEntry key={item.id ?? item.label} item={item} leave={leave} />
  return (
    <div ref={menu} id={props.id} class="menu" popover="auto" role="menu" aria-label={props.label}>
      {props.items.map(drawn)}
      {group !== undefined && (
        <div role="group" aria-label={group.label} class="menu-group">
          <p class="soft tiny strong menu-heading" aria-hidden="true">
            {group.label}
          </p>
          {group.items.map(drawn)}
        </div>
      )}
    </div>
  )
})

const kindOf = ({ checked, danger, disabled }: MenuItem) => ({
  ...(checked === undefined
    ? { role: "menuitem" as const }
    : { role: "menuitemradio" as const, "aria-checked": checked ? ("true" as const) : ("false" as const) }),
  class: ["menu-item", danger === true && "is-danger"],
  disabled: disabled === true
})

const MenuEntry = component$<{ readonly item: MenuItem; readonly leave: () => void }>((props) => {
  const { label, checked } = props.item
  const icon = checked === true ? "check" : props.item.icon
  return (
    <button
      {...kindOf(props.item)}
      type="button"
      tabIndex={-1}
      onClick$={() => {
        props.leave()
        props.item.run()
      }}
    >
      <span class="menu-icon">{icon !== undefined && <Icon name={icon} />}</span>
      <span>{label}</span>
    </button>
  )
})

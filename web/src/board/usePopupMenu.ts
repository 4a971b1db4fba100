import { type QRL, type Signal, useVisibleTask$ } from "@builder.io/qwik"
import { menuKey } from "../ui/menuKeys.ts"
import { placeBeside } from "../ui/placeBeside.ts"

interface PopupMenuOptions {
  readonly menu: Signal<HTMLElement | undefined>
  /** Where the button is that opened it. */
  readonly anchor: DOMRect
  readonly close$: QRL<() => void>
  /** Where the focus goes back to. */
  readonly back: () => HTMLElement | null
}

/** Opens a menu beside its button; arrows, Home, End and first letters move through it, Escape and Tab leave it. */
export const usePopupMenu = ({ menu, anchor, back, close$ }: PopupMenuOptions): void => {
  useVisibleTask$(
    ({ cleanup }) => {
      const popup = menu.value
      if (popup === undefined) return
      const entries = () => [...popup.querySelectorAll<HTMLElement>("[role^=menuitem]")]
      popup.showPopover()
      const at = placeBeside(anchor, popup.getBoundingClientRect(), {
        width: document.documentElement.clientWidth,
        height: window.innerHeight
      })
      popup.style.insetInlineStart = `${at.left}px`
      popup.style.insetBlockStart = `${at.top}px`
      popup.style.maxBlockSize = `${at.maxHeight}px`
      const checked = popup.querySelector<HTMLElement>("[aria-checked=true]")
      ;(checked ?? entries()[0])?.focus()
      const onToggle = (event: Event) => {
        if (event instanceof ToggleEvent && event.newState === "closed") void close$()
      }
      const onKey = (event: KeyboardEvent) => {
        const all = entries()
        const move = menuKey(
          event,
          all.findIndex((entry) => entry.matches(":focus")),
          all.map((entry) => entry.textContent ?? "")
        )
        if (move === null) return
        event.preventDefault()
        event.stopPropagation()
        if (move === "close") {
          back()?.focus()
          void close$()
        } else all[move]?.focus()
      }
      popup.addEventListener("toggle", onToggle)
      popup.addEventListener("keydown", onKey)
      cleanup(() => {
        popup.removeEventListener("toggle", onToggle)
        popup.removeEventListener("keydown", onKey)
      })
    },
    { strategy: "document-ready" }
  )
}

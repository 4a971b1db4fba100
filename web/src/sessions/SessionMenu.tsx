import { component$, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { sessionRequest } from "../base/sessionRequest.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { menuKey } from "../ui/menuKeys.ts"
import { placeBeside } from "../ui/placeBeside.ts"
import { sessionActions } from "./sessionActions.ts"
import "../ui/menu.css"

interface SessionMenuProps {
  readonly sessionKey: string
  /** The button it belongs to. */
  readonly anchor: HTMLElement
}

/** The menu of a session in the list; all share one, so that long lists stay light. */
export const SessionMenu = component$<SessionMenuProps>((props) => {
  const app = useServices()
  const menu = useSignal<HTMLElement>()
  const row = app.client.sessions.find(props.sessionKey)
  const items = row === null ? [] : sessionActions(app, row)

  useVisibleTask$(
    ({ cleanup }) => {
      const popup = menu.value
      if (popup === undefined) return
      const entries = () => [...popup.querySelectorAll<HTMLElement>("[role=menuitem]:not(:disabled)")]
      const close = () => {
        if (sessionRequest.get()?.kind === "menu") sessionRequest.set(null)
      }
      const onToggle = (event: Event) => {
        if (event instanceof ToggleEvent && event.newState === "closed") close()
      }
      const onKey = (event: KeyboardEvent) => {
        const all = entries()
        const focused = all.findIndex((entry) => entry.matches(":focus"))
        const labels = all.map((entry) => entry.textContent ?? "")
        const move = menuKey(event, focused, labels)
        if (move === null) return
        event.preventDefault()
        event.stopPropagation()
        if (move === "close") {
          props.anchor.focus()
          popup.hidePopover()
        } else all[move]?.focus()
      }
      const onLeave = (event: FocusEvent) => {
        if (event.relatedTarget instanceof Node && !popup.contains(event.relatedTarget)) popup.hidePopover()
      }
      popup.addEventListener("toggle", onToggle)
      popup.addEventListener("keydown", onKey)
      popup.addEventListener("focusout", onLeave)
      window.addEventListener("resize", close)
      popup.showPopover()
      const view = { width: document.documentElement.clientWidth, height: window.innerHeight }
      const at = placeBeside(props.anchor.getBoundingClientRect(), popup.getBoundingClientRect(), view)
      popup.style.insetInlineStart = `${at.left}px`
      popup.style.insetBlockStart = `${at.top}px`
      popup.style.maxBlockSize = `${at.maxHeight}px`
      entries()[0]?.focus()
      cleanup(() => {
        popup.removeEventListener("toggle", onToggle)
        popup.removeEventListener("keydown", onKey)
        popup.removeEventListener("focusout", onLeave)
        window.removeEventListener("resize", close)
      })
    },
    { strategy: "document-ready" }
  )

  return (
    <div
      ref={menu}
      class="menu"
      popover="auto"
      role="menu"
      aria-label={say("Actions for {session}", { session: row?.title ?? say("the session") })}
    >
      {items.map(({ label, icon, danger, disabled, run }) => (
        <button
          key={label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          class={["menu-item", danger === true && "is-danger"]}
          disabled={disabled === true}
          onClick$={() => {
            props.anchor.focus()
            sessionRequest.set(null)
            run()
          }}
        >
          <span class="menu-icon">{icon !== undefined && <Icon name={icon} />}</span>
          <span>{label}</span>
        </button>
      ))}
    </div>
  )
})

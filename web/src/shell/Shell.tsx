import { $, component$, Slot, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { retryAfterFrames } from "../base/afterFrames.ts"
import { OPEN_SESSIONS_EVENT } from "../base/openSessions.ts"
import { useCommands } from "../base/useCommands.ts"
import { useReadable } from "../base/useReadable.ts"
import { ConnectionBanner } from "../connection/ConnectionBanner.tsx"
import { say } from "../core/language/say.ts"
import { SessionList } from "../sessions/SessionList.tsx"
import { Icon } from "../ui/Icon.tsx"
import { RequestedPart } from "../ui/RequestedPart.tsx"
import { ConnectionStatus } from "./ConnectionStatus.tsx"
import { Navigation } from "./Navigation.tsx"
import { NoticeList } from "./NoticeList.tsx"
import { SidebarEdge } from "./SidebarEdge.tsx"
import { shellCommands, toggleSidebar } from "./shellCommands.ts"
import { ThemeSwitch } from "./ThemeSwitch.tsx"

const loadOverlay = async () => (await import("./palette/Overlay.tsx")).Overlay

const PHONE = "(max-width: 760px)"

/** The frame around every screen: sidebar with the sessions, main area; a drawer on a phone. */
export const Shell = component$(() => {
  const app = useServices()
  const { overlay } = app
  const auth = useReadable(app.client.auth)
  const settings = useReadable(app.client.settings.state)
  const isOpen = settings.value.sidebar === "open"
  const drawer = useSignal(false)
  const sidebar = useSignal<HTMLElement>()
  useCommands(() => shellCommands(app))

  useVisibleTask$(
    ({ cleanup }) => {
      const focusSessions = () => {
        const target =
          // A field would bring up a phone's keyboard, over the list.
          (drawer.value ? null : sidebar.value?.querySelector<HTMLElement>(".sessions-filter")) ??
          sidebar.value?.querySelector<HTMLElement>("a[data-session][aria-current]") ??
          sidebar.value?.querySelector<HTMLElement>("a[data-session]") ??
          sidebar.value?.querySelector<HTMLElement>("button.only-phone")
        target?.focus()
      }
      const open = () => {
        const isDrawer = window.matchMedia(PHONE).matches
        drawer.value = isDrawer
        if (!isDrawer) app.client.settings.update({ sidebar: "open" })
        // The drawer becomes focusable some frames after it is shown, and may be closed by then.
        retryAfterFrames(2, 20, () => {
          if (drawer.value !== isDrawer) return true
          focusSessions()
          return sidebar.value?.contains(document.activeElement) === true
        })
      }
      const close = () => {
        drawer.value = false
      }
      const onKey = (event: KeyboardEvent) => {
        if (event.key === "Escape" && drawer.value) {
          event.stopPropagation()
          close()
          // What the drawer covers can't take the focus until the next frame draws it free, however late that comes.
          document.getElementById("main")?.removeAttribute("inert")
          document.querySelector<HTMLElement>("[data-open-sessions]")?.focus()
        }
      }
      const onClick = (event: MouseEvent) => {
        if (event.target instanceof Element && event.target.closest("a") !== null) close()
      }
      const element = sidebar.value
      element?.addEventListener("click", onClick)
      document.addEventListener("keydown", onKey, true)
      window.addEventListener(OPEN_SESSIONS_EVENT, open)
      const stop = app.router.location.subscribe(close)
      cleanup(() => {
        element?.removeEventListener("click", onClick)
        document.removeEventListener("keydown", onKey, true)
        window.removeEventListener(OPEN_SESSIONS_EVENT, open)
        stop()
      })
    },
    { strategy: "document-ready" }
  )

  const closeDrawer = $(() => {
    drawer.value = false
  })

  return (
    <div class={["shell", drawer.value && "is-drawer-open"]}>
      <a class="skip-link" href="#main">
        {say("Skip to content")}
      </a>
      <aside class="sidebar" ref={sidebar} aria-label={say("Sessions and settings")}>
        <div class="sidebar-head">
          <a class="brand" href="/">
            <img src="/icon.svg" alt="" width={28} height={28} />
            <span>Agent Console</span>
          </a>
          <button
            type="button"
            class="icon-button"
            aria-label={say("Commands")}
            title={say("Commands (Ctrl+K)")}
            onClick$={() => {
              drawer.value = false
              app.overlay.set("palette")
            }}
          >
            <Icon name="command" />
          </button>
          <button
            type="button"
            class="icon-button only-wide"
            aria-label={say("Sidebar")}
            aria-expanded={isOpen ? "true" : "false"}
            title={isOpen ? say("Hide the sidebar (Ctrl+B)") : say("Show the sidebar (Ctrl+B)")}
            onClick$={() => toggleSidebar(app)}
          >
            <Icon name="panel-left" />
          </button>
          <button
            type="button"
            class="icon-button only-phone"
            aria-label={say("Close sessions")}
            onClick$={closeDrawer}
          >
            <Icon name="x" />
          </button>
        </div>
        <Navigation />
        <SessionList />
        <div class="sidebar-foot">
          <ConnectionStatus />
          <div class="sidebar-tools">
            <ThemeSwitch />
            {auth.value === "signedIn" && (
              <button type="button" class="button is-small" onClick$={() => app.client.logout()}>
                <Icon name="log-out" />
                <span>{say("Sign out")}</span>
              </button>
            )}
          </div>
        </div>
        {isOpen && <SidebarEdge />}
      </aside>
      <button type="button" class="scrim" tabIndex={-1} aria-label={say("Close sessions")} onClick$={closeDrawer} />
      <main id="main" class="shell-main" tabIndex={-1} inert={drawer.value}>
        <Slot />
        <ConnectionBanner />
      </main>
      <NoticeList />
      <RequestedPart request={overlay} load={loadOverlay} />
    </div>
  )
})

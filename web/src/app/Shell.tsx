import { $, component$, Slot, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { ConnectionStatus } from "../connection/ConnectionStatus.tsx"
import { SessionList } from "../sessions/SessionList.tsx"
import { Icon } from "../ui/Icon.tsx"
import { useServices } from "./ConsoleContext.ts"
import { Navigation } from "./Navigation.tsx"
import { NoticeList } from "./NoticeList.tsx"
import { OPEN_SESSIONS_EVENT } from "./openSessions.ts"
import { ThemeSwitch } from "./ThemeSwitch.tsx"
import { useReadable } from "./useReadable.ts"

const PHONE = "(max-width: 760px)"

/** The frame around every screen: sidebar with the sessions, main area; a drawer on a phone. */
export const Shell = component$(() => {
  const app = useServices()
  const auth = useReadable(app.console.auth)
  const drawer = useSignal(false)
  const sidebar = useSignal<HTMLElement>()

  useVisibleTask$(
    ({ cleanup }) => {
      const focusSessions = () => {
        const target =
          sidebar.value?.querySelector<HTMLElement>(".sessions-filter") ??
          sidebar.value?.querySelector<HTMLElement>("a[aria-current]") ??
          sidebar.value?.querySelector<HTMLElement>("a[data-session]")
        target?.focus()
      }
      const open = () => {
        drawer.value = window.matchMedia(PHONE).matches
        // The drawer becomes focusable one frame after it is shown.
        requestAnimationFrame(() => requestAnimationFrame(focusSessions))
      }
      const close = () => {
        drawer.value = false
      }
      const onKey = (event: KeyboardEvent) => {
        if (event.key === "k" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
          event.preventDefault()
          open()
        }
        if (event.key === "Escape" && drawer.value) {
          event.stopPropagation()
          close()
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
        Skip to the conversation
      </a>
      <aside class="sidebar" ref={sidebar} aria-label="Sessions and settings">
        <div class="sidebar-head">
          <a class="brand" href="/">
            <img src="/icon.svg" alt="" width={28} height={28} />
            <span>Agent Console</span>
          </a>
          <button type="button" class="icon-button only-phone" aria-label="Close the sessions" onClick$={closeDrawer}>
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
              <button type="button" class="button is-small" onClick$={() => app.console.logout()}>
                <Icon name="log-out" />
                <span>Sign out</span>
              </button>
            )}
          </div>
        </div>
      </aside>
      <button type="button" class="scrim" tabIndex={-1} aria-label="Close the sessions" onClick$={closeDrawer} />
      <main id="main" class="shell-main" tabIndex={-1} inert={drawer.value}>
        <Slot />
      </main>
      <NoticeList />
    </div>
  )
})

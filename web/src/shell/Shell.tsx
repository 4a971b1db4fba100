import { $, component$, Slot, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { retryAfterFrames } from "../base/afterFrames.ts"
import { matchRoute, SCREENS, screenPath } from "../base/routes.ts"
import { OPEN_SESSIONS_EVENT } from "../base/sessionRequest.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import { useReadable } from "../base/useReadable.ts"
import { ConnectionBanner } from "../connection/ConnectionBanner.tsx"
import { connectionView } from "../connection/connectionText.ts"
import { say } from "../core/language/say.ts"
import type { SettingsStore } from "../core/settings/SettingsStore.ts"
import { inSidebarRange, SIDEBAR_WIDTHS, widthAfterKey } from "../core/settings/settingValues.ts"
import { SessionList } from "../sessions/SessionList.tsx"
import { Icon } from "../ui/Icon.tsx"
import { RequestedPart } from "../ui/RequestedPart.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { SCREEN_ICONS } from "./loadScreen.ts"
import { NoticeList } from "./NoticeList.tsx"
import { shellCommands, toggleSidebar } from "./shellCommands.ts"

/** Lets the pointer and keys move the sidebar's edge; the width is kept once the pointer lets go. */
const followSidebarEdge = (edge: HTMLElement, settings: SettingsStore): (() => void) => {
  const root = document.documentElement
  const isRightToLeft = () => getComputedStyle(edge).direction === "rtl"
  const box = () => edge.parentElement?.getBoundingClientRect() ?? new DOMRect()
  const stop = new AbortController()
  const listen = { signal: stop.signal }
  let dragged: number | null = null

  edge.addEventListener(
    "pointerdown",
    (event) => {
      if (event.button !== 0) return
      event.preventDefault()
      edge.focus()
      edge.setPointerCapture(event.pointerId)
    },
    listen
  )
  edge.addEventListener(
    "pointermove",
    (event) => {
      if (!edge.hasPointerCapture(event.pointerId)) return
      const { left, right } = box()
      dragged = inSidebarRange(isRightToLeft() ? right - event.clientX : event.clientX - left)
      root.style.setProperty("--sidebar", `${dragged}px`)
    },
    listen
  )
  edge.addEventListener(
    "lostpointercapture",
    () => {
      if (dragged !== null) settings.update({ sidebarWidth: dragged })
      dragged = null
    },
    listen
  )
  edge.addEventListener("dblclick", () => settings.update({ sidebarWidth: null }), listen)
  edge.addEventListener(
    "keydown",
    (event) => {
      const width = widthAfterKey(event.key, box().width, isRightToLeft())
      if (width === null || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      settings.update({ sidebarWidth: width })
    },
    listen
  )
  return () => stop.abort()
}

const COLOURS = [
  { value: "system", label: say("Match device"), icon: "monitor" },
  { value: "light", label: say("Light"), icon: "sun" },
  { value: "dark", label: say("Dark"), icon: "moon" }
] as const

/** Chooses between the device's colours, light and dark. */
const ThemeSwitch = component$(() => {
  const { settings } = useServices().client
  const state = useReadable(settings.state)
  return (
    <Segmented
      label={say("Colours")}
      value={state.value.theme}
      options={COLOURS}
      onChange$={(chosen) => {
        const choice = COLOURS.find(({ value }) => value === chosen)
        if (choice !== undefined) settings.update({ theme: choice.value })
      }}
    />
  )
})

/** The sidebar's edge, which makes it wider and narrower: dragged, by arrow keys, and as before by a double click. */
const SidebarEdge = component$(() => {
  const { settings } = useServices().client
  const chosen = useReadable(settings.state)
  const edge = useSignal<HTMLElement>()
  const usual = useSignal<number | null>(null)

  useBrowserTask$(({ cleanup }) => {
    const element = edge.value
    if (element === undefined) return
    usual.value = Math.round(element.parentElement?.getBoundingClientRect().width ?? 0)
    cleanup(followSidebarEdge(element, settings))
  })

  return (
    <div
      ref={edge}
      class="sidebar-edge"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={say("Width of the sidebar")}
      aria-valuemin={SIDEBAR_WIDTHS.min}
      aria-valuemax={SIDEBAR_WIDTHS.max}
      aria-valuenow={chosen.value.sidebarWidth ?? usual.value ?? undefined}
    />
  )
})

/** Links to the other screens. */
const Navigation = component$(() => {
  const app = useServices()
  const location = useReadable(app.router.location)
  const waiting = useReadable(app.client.inbox.open)
  const count = waiting.value.length
  const settings = useReadable(app.client.settings.state)
  const isRail = settings.value.sidebar === "collapsed"
  const current = matchRoute(location.value).screen
  return (
    <nav class="navigation" aria-label={say("Screens")}>
      {SCREENS.map((screen) => {
        const icon = SCREEN_ICONS[screen.name]
        return (
          <a
            key={screen.name}
            href={screenPath(screen)}
            title={isRail ? screen.label : ""}
            data-screen={screen.name}
            aria-current={screen.name === current?.name ? "page" : undefined}
          >
            <Icon name={icon} />
            <span>{screen.label}</span>
            {screen.name === "inbox" && count > 0 && <span class="count is-waiting">{count}</span>}
          </a>
        )
      })}
    </nav>
  )
})

/** The state of the gateway link, in a word. */
const ConnectionStatus = component$(() => {
  const app = useServices()
  const link = useReadable(app.client.link.state)
  const hello = useReadable(app.client.link.hello)
  const view = connectionView(link.value)
  const version = hello.value === null ? "" : say("Gateway {version}", { version: hello.value.serverVersion })
  return (
    <p class={["connection", `is-${view.tone}`]} title={version} data-connection={link.value.phase}>
      <span class="connection-dot" aria-hidden="true" />
      <span role="status">{view.label}</span>
    </p>
  )
})

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

  useBrowserTask$(({ cleanup }) => {
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
  })

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
        <div class="row wrap gap-2 border-top sidebar-foot">
          <ConnectionStatus />
          <div class="row space-between gap-2 sidebar-tools">
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
      <main id="main" class="flex-column can-shrink shell-main" tabIndex={-1} inert={drawer.value}>
        <Slot />
        <ConnectionBanner />
      </main>
      <NoticeList />
      <RequestedPart request={overlay} load={loadOverlay} />
    </div>
  )
})

import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { matchRoute, SCREENS, screenPath } from "../base/routes.ts"
import { NARROW, useMedia } from "../base/useMedia.ts"
import { useReadable } from "../base/useReadable.ts"
import { connectionLabel } from "../connection/connectionText.ts"
import { below } from "../core/common/basePath.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { IconButton } from "../ui/IconButton.tsx"
import { Lighthouse } from "../ui/Lighthouse.tsx"
import type { MenuItem } from "../ui/Menu.tsx"
import { MenuButton } from "../ui/MenuButton.tsx"
import { SCREEN_ICONS } from "./loadScreen.ts"
import { lampState } from "./pageTitle.ts"
import { toggleSidebar } from "./shellCommands.ts"

/** How many screens have a tab on a phone; the others are in its menu. */
const TABS = 3

/** Links to the screens, with how many requests wait for a person. */
const Navigation = component$(() => {
  const app = useServices()
  const location = useReadable(app.router.location)
  const waiting = useReadable(app.client.inbox.open)
  const count = waiting.value.length
  const current = matchRoute(location.value).screen
  return (
    <nav class="navigation" aria-label={say("Screens")}>
      {SCREENS.map((screen, index) => {
        const icon = SCREEN_ICONS[screen.name]
        return (
          <a
            key={screen.name}
            href={screenPath(screen)}
            class={["rail-tile", index >= TABS && "only-wide"]}
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

const COLOURS = [
  { value: "system", label: say("Match device"), icon: "monitor" },
  { value: "light", label: say("Light"), icon: "sun" },
  { value: "dark", label: say("Dark"), icon: "moon" }
] as const

/** What has no place of its own: the colours and the way out, and on a phone the other screens. */
const MoreMenu = component$(() => {
  const app = useServices()
  const isPhone = useMedia(NARROW)
  const auth = useReadable(app.client.auth)
  const location = useReadable(app.router.location)
  const { settings } = app.client
  const state = useReadable(settings.state)
  const others = isPhone.value ? SCREENS.slice(TABS) : []
  const current = matchRoute(location.value).screen
  const items: ReadonlyArray<MenuItem> = [
    ...others.map((screen) => ({
      label: screen.label,
      icon: SCREEN_ICONS[screen.name],
      run: () => app.router.navigate(screenPath(screen))
    })),
    { label: say("Commands"), icon: "command" as const, run: () => app.overlay.set("palette") },
    ...(auth.value === "signedIn"
      ? [{ label: say("Sign out"), icon: "log-out" as const, run: () => app.client.logout() }]
      : [])
  ]
  const colours = COLOURS.map(({ value, label, icon }) => ({
    label,
    icon,
    checked: state.value.theme === value,
    run: () => settings.update({ theme: value })
  }))
  return (
    <div class={["rail-more", others.some(({ name }) => name === current?.name) && "is-current"]}>
      <MenuButton
        label={say("More")}
        text={say("More")}
        items={items}
        group={{ label: say("Colours"), items: colours }}
      />
    </div>
  )
})

/** The mark, whose lamp shows how things are; it leads to the chat and says how the gateway's link is. */
const Mark = component$(() => {
  const { inbox, link, sessions } = useServices().client
  const state = useReadable(link.state)
  const hello = useReadable(link.hello)
  const waiting = useReadable(inbox.open)
  const known = useReadable(sessions.state, { perFrame: true })
  const label = connectionLabel(state.value)
  const version = hello.value === null ? "" : say("Gateway {version}", { version: hello.value.serverVersion })
  return (
    <>
      <a
        class="brand only-wide"
        href={below("/")}
        aria-label="Agent Console"
        title={["Agent Console", label, version].filter((line) => line !== "").join("\n")}
      >
        <Lighthouse state={lampState(state.value, waiting.value.length, known.value.rows)} />
      </a>
      <p class="visually-hidden" role="status" data-connection={state.value.phase}>
        {label}
      </p>
    </>
  )
})

/** The way to every screen: a rail of tiles beside the sessions, tabs at the bottom of a phone. */
export const Rail = component$(() => {
  const app = useServices()
  const settings = useReadable(app.client.settings.state)
  const isOpen = settings.value.sidebar === "open"
  return (
    <header class="rail">
      <Mark />
      <Navigation />
      <div class="rail-foot">
        <IconButton
          class="only-wide"
          icon="command"
          label={say("Commands")}
          title={say("Commands (Ctrl+K)")}
          onClick$={() => app.overlay.set("palette")}
        />
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
        <MoreMenu />
      </div>
    </header>
  )
})

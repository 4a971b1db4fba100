import { render } from "@builder.io/qwik"
import type { AppServices, Overlay } from "../base/AppContext.ts"
import { createNotices } from "../base/Notices.ts"
import { createRouter, type Router } from "../base/Router.ts"
import { addressedSession, chatPath, matchRoute } from "../base/routes.ts"
import { createClient } from "../core/client/createClient.ts"
import { createCommandRegistry } from "../core/commands/CommandRegistry.ts"
import { ownName } from "../core/common/basePath.ts"
import { createObservable } from "../core/common/Observable.ts"
import { say } from "../core/language/say.ts"
import { browserEnvironment, lastingStorage } from "../core/link/browserEnvironment.ts"
import { PUSH_DEVICE } from "../core/push/pushTypes.ts"
import type { SessionsStore } from "../core/sessions/sessionTypes.ts"
import { SETTINGS_KEY, type SettingsStore } from "../core/settings/SettingsStore.ts"
import type { UserSettings } from "../core/settings/settingValues.ts"
import { App } from "./App.tsx"
import { followKeys } from "./followKeys.ts"
import { followReturned } from "./followReturned.ts"
import { loadScreen } from "./loadScreen.ts"
import { announceVersion, followBuild, followWorker, hasNewVersion } from "./newVersion.ts"
import { pageTitle, tabIcon, tabState } from "./pageTitle.ts"
import { followTypeAhead } from "./typeAhead.ts"

/**
 * Makes moving nodes safe for nodes that something else (a page translator, an extension) has moved. Without it one
 * foreign `<font>` element makes every later render throw.
 */
const installDomGuard = (): void => {
  const insertBefore = Node.prototype.insertBefore
  const removeChild = Node.prototype.removeChild

  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, reference: Node | null): T {
    insertBefore.call(this, node, reference?.parentNode === this ? reference : childHolding(this, reference))
    return node
  }

  Node.prototype.removeChild = function <T extends Node>(this: Node, node: T): T {
    if (node.parentNode === this) removeChild.call(this, node)
    else if (node.parentNode !== null) removeChild.call(node.parentNode, node)
    return node
  }
}

/** The direct child of `parent` that contains `node`, or `null` (the end). */
const childHolding = (parent: Node, node: Node | null): Node | null => {
  for (let current: Node | null = node; current !== null; current = current.parentNode) {
    if (current.parentNode === parent) return current
  }
  return null
}

/** Sets the settings as attributes of the page's root: the styles know every value, so nothing is loaded. */
const applySettings = ({ theme, density, textSize, motion, sidebar, sidebarWidth }: UserSettings): void => {
  const root = document.documentElement
  Object.assign(root.dataset, { theme, density, textSize, motion, sidebar })
  root.style.setProperty("--sidebar", sidebarWidth === null ? "" : `${sidebarWidth}px`)
  // The title bar of an installed app takes the page's colour; the static ones are the device's light and dark.
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")) {
    meta.dataset.device ??= meta.content
    meta.content = theme === "system" ? meta.dataset.device : getComputedStyle(root).backgroundColor
  }
}

/** Applies the settings to the page, also when another tab changes them. */
const followSettings = (settings: SettingsStore): void => {
  const { language } = settings.state.get()
  applySettings(settings.state.get())
  settings.state.subscribe((now) => {
    // Texts are read once, as the page starts.
    if (now.language === language) applySettings(now)
    else location.reload()
  })
  window.addEventListener("storage", ({ key }) => {
    if (key === ownName(SETTINGS_KEY) || key === null) settings.reload()
  })
}

/**
 * Keeps the address and the selected session in step: an address selects its session, and a session selected
 * elsewhere (a new one, or after a deletion) becomes the address. Stops when the returned function is called.
 */
const followSessions = (router: Pick<Router, "location" | "navigate">, sessions: SessionsStore): (() => void) => {
  const addressed = () => addressedSession(router.location.get())
  const fromAddress = () => {
    const key = addressed()
    if (typeof key === "string") sessions.select(key)
    else if (key === null) fromSelection()
  }
  const fromSelection = () => {
    const key = addressed()
    const selected = sessions.activeKey.get()
    if (key === undefined || key === selected) return
    router.navigate(chatPath(selected), { replace: key === null })
  }
  const stopAddress = router.location.subscribe(fromAddress)
  fromAddress()
  const stopSelection = sessions.activeKey.subscribe(fromSelection)
  return () => {
    stopAddress()
    stopSelection()
  }
}

/**
 * Looks once, signed in, whether the console still reaches this browser: browsers change their addresses while nobody is
 * signed in, and the console's key may have been replaced.
 */
const followPush = (app: AppServices): void => {
  let hasLooked = false
  const look = async () => {
    if (hasLooked || app.client.link.hello.get() === null || lastingStorage().getItem(PUSH_DEVICE) === null) return
    hasLooked = true
    const parts = await Promise.all([
      import("../core/push/PushStore.ts"),
      import("../core/push/pageBrowserPush.ts")
    ]).catch(() => null)
    if (parts === null) return
    const [{ createPushStore }, { pageBrowserPush }] = parts
    await createPushStore(app.client.api, pageBrowserPush, lastingStorage()).load()
  }
  app.client.link.hello.subscribe(() => void look())
  void look()
}

/** Loads and runs the notification parts while a setting asks for them. */
const followAttention = (app: AppServices): void => {
  let stop: (() => void) | null = null
  let wanted = false
  const follow = async () => {
    const { notifications, sound } = app.client.settings.state.get()
    const now = notifications === "on" || sound === "on"
    if (now === wanted) return
    wanted = now
    stop?.()
    stop = null
    if (!now) return
    const attention = await import("../base/callAttention.ts").catch(() => null)
    // It may have been switched off, or off and on, while the chunk was loading.
    if (wanted && stop === null) stop = attention?.callAttention(app) ?? null
  }
  app.client.settings.state.subscribe(() => void follow())
  void follow()
}

/** Starts the page: guards, services, first render. Nothing here waits for the network. */
export const boot = (root: HTMLElement): void => {
  installDomGuard()
  const services: AppServices = {
    client: createClient(browserEnvironment()),
    router: createRouter(),
    notices: createNotices(),
    commands: createCommandRegistry(),
    overlay: createObservable<Overlay>(null)
  }
  followSettings(services.client.settings)
  followTab(services)
  followVisibility(services)
  followAuth(services)
  reportFaults(services)
  followReturned(services)
  followKeys(services)
  followTypeAhead(services.overlay)
  followAttention(services)
  followWorker(services)
  followBuild(services.client, services.notices)
  followPush(services)
  services.router.start()
  services.client.start()
  const first = matchRoute(services.router.location.get()).screen
  const screen = first === null ? Promise.resolve() : loadScreen(first.name)
  // The screen's place reports a chunk that fails to load.
  screen
    .catch(() => null)
    .then(() => {
      root.replaceChildren()
      render(root, <App services={services} />)
    })
}

/** Keeps the tab's title and icon showing what needs attention. */
const followTab = ({ client, router }: AppServices) => {
  const show = () => {
    const auth = client.auth.get()
    if (auth !== "signedIn" && auth !== "notNeeded") return
    const sessions = client.sessions.state.get()
    const screen = matchRoute(router.location.get()).screen
    const place = screen?.name === "chat" ? undefined : (screen?.label ?? say("Not found"))
    const waiting = client.inbox.open.get().length
    document.title = pageTitle(client.link.state.get(), sessions, client.sessions.activeKey.get(), waiting, place)
    const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]")
    const href = tabIcon(tabState(sessions.rows), client.link.state.get())
    if (icon !== null && icon.getAttribute("href") !== href) icon.setAttribute("href", href)
  }
  router.location.subscribe(show)
  for (const source of [
    client.link.state,
    client.sessions.state,
    client.sessions.activeKey,
    client.inbox.open,
    client.auth
  ]) {
    source.subscribe(show)
  }
}

/** Other screens keep a session selected, but do not display it. */
const followVisibility = ({ client, router }: AppServices) => {
  const show = () => {
    const addressed = addressedSession(router.location.get())
    const isShown = addressed === null || addressed === client.sessions.activeKey.get()
    client.sessions.setVisible(isShown && document.visibilityState === "visible")
  }
  router.location.subscribe(show)
  client.sessions.activeKey.subscribe(show)
  document.addEventListener("visibilitychange", show)
  show()
}

/** Addresses and sessions only follow each other while someone is signed in. */
const followAuth = (services: AppServices) => {
  let stop: (() => void) | null = null
  const follow = () => {
    const auth = services.client.auth.get()
    const inside = auth === "signedIn" || auth === "notNeeded"
    if (inside && stop === null) stop = followSessions(services.router, services.client.sessions)
    if (!inside && stop !== null) {
      stop()
      stop = null
    }
  }
  services.client.auth.subscribe(follow)
  follow()
}

const reportFaults = ({ client, notices }: AppServices) => {
  client.refusal.subscribe((reason) => {
    if (reason === null) return
    notices.show("error", say("The session begins without the name, model or thinking you chose. {reason}", { reason }))
  })
  window.addEventListener("qheal", () =>
    notices.show("error", say("Something went wrong on this page. It has been reloaded."))
  )
  window.addEventListener("vite:preloadError", () => {
    // The part that is missing says so itself; a reload helps only if the server has other files by now.
    void hasNewVersion().then((isNew) => isNew && announceVersion(notices))
  })
  // Styles are only requested once, so those that failed are put right here when their part loads after all.
  window.addEventListener(
    "error",
    ({ target }) => {
      if (!(target instanceof HTMLLinkElement) || target.rel !== "stylesheet") return
      const stop = client.events.connected.subscribe((up) => {
        if (!up) return
        stop()
        target.replaceWith(target.cloneNode())
      })
    },
    true
  )
}

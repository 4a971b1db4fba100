import { render } from "@builder.io/qwik"
import type { AppServices, Overlay } from "../base/AppContext.ts"
import { createNotices } from "../base/Notices.ts"
import { createRouter } from "../base/Router.ts"
import { addressedSession, matchRoute } from "../base/routes.ts"
import { createClient } from "../core/client/createClient.ts"
import { createCommandRegistry } from "../core/commands/CommandRegistry.ts"
import { createObservable } from "../core/common/Observable.ts"
import { say } from "../core/language/say.ts"
import { browserEnvironment } from "../core/link/browserEnvironment.ts"
import { App } from "./App.tsx"
import { followAttention } from "./followAttention.ts"
import { followKeys } from "./followKeys.ts"
import { followPush } from "./followPush.ts"
import { followReturned } from "./followReturned.ts"
import { followSessions } from "./followSessions.ts"
import { followSettings } from "./followSettings.ts"
import { followWorker } from "./followWorker.ts"
import { installDomGuard } from "./installDomGuard.ts"
import { loadScreen } from "./loadScreen.ts"
import { announceVersion, hasNewVersion } from "./newVersion.ts"
import { pageTitle } from "./pageTitle.ts"
import { tabIcon, tabState } from "./tabState.ts"

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
  followAttention(services)
  followWorker(services)
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
    const href = tabIcon(tabState(sessions.rows))
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

/** Other screens keep a session selected, but nobody sees it there. */
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

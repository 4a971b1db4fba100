import { render } from "@builder.io/qwik"
import { browserEnvironment } from "../core/browserEnvironment.ts"
import { CommandRegistry } from "../core/commands/CommandRegistry.ts"
import { createConsole } from "../core/createConsole.ts"
import { Observable } from "../core/Observable.ts"
import type { Console } from "../core/types.ts"
import { App } from "./App.tsx"
import type { AppServices, Overlay } from "./ConsoleContext.ts"
import { followAttention } from "./followAttention.ts"
import { followKeys } from "./followKeys.ts"
import { followSessions } from "./followSessions.ts"
import { followSettings } from "./followSettings.ts"
import { followWorker } from "./followWorker.ts"
import { installDomGuard } from "./installDomGuard.ts"
import { Notices } from "./Notices.ts"
import { pageTitle } from "./pageTitle.ts"
import { Router } from "./Router.ts"
import { matchRoute } from "./routes.ts"
import { loadScreen } from "./screens.ts"
import { tabIcon, tabState } from "./tabState.ts"

/** Starts the page: guards, services, first render. Nothing here waits for the network. */
export const boot = (root: HTMLElement): void => {
  installDomGuard()
  const services: AppServices = {
    console: createConsole(browserEnvironment()),
    router: new Router(),
    notices: new Notices(),
    commands: new CommandRegistry(),
    overlay: new Observable<Overlay>(null)
  }
  followSettings(services.console.settings)
  followTab(services)
  followVisibility(services.console)
  followAuth(services)
  reportFaults(services.notices)
  followKeys(services)
  followAttention(services)
  followWorker(services)
  services.router.start()
  services.console.start()
  const first = matchRoute(services.router.location.get()).screen
  const screen = first === null ? Promise.resolve() : loadScreen(first)
  // A chunk that does not come is told by the screen's place.
  screen
    .catch(() => null)
    .then(() => {
      root.replaceChildren()
      render(root, <App services={services} />)
    })
}

/** Keeps the tab's title and icon telling what wants attention. */
const followTab = ({ console, router }: AppServices) => {
  const show = () => {
    const auth = console.auth.get()
    if (auth !== "signedIn" && auth !== "notNeeded") return
    const sessions = console.sessions.state.get()
    const screen = matchRoute(router.location.get()).screen
    const place = screen?.name === "chat" ? undefined : (screen?.label ?? "Not found")
    document.title = pageTitle(console.link.state.get(), sessions, console.sessions.activeKey.get(), place)
    const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]")
    const href = tabIcon(tabState(sessions.rows))
    if (icon !== null && icon.getAttribute("href") !== href) icon.setAttribute("href", href)
  }
  router.location.subscribe(show)
  for (const source of [console.link.state, console.sessions.state, console.sessions.activeKey, console.auth]) {
    source.subscribe(show)
  }
}

const followVisibility = (console: Console) => {
  const show = () => console.sessions.setVisible(document.visibilityState === "visible")
  document.addEventListener("visibilitychange", show)
  show()
}

/** Addresses and sessions follow each other only while somebody is signed in. */
const followAuth = (services: AppServices) => {
  let stop: (() => void) | null = null
  const follow = () => {
    const auth = services.console.auth.get()
    const inside = auth === "signedIn" || auth === "notNeeded"
    if (inside && stop === null) stop = followSessions(services.router, services.console.sessions)
    if (!inside && stop !== null) {
      stop()
      stop = null
    }
  }
  services.console.auth.subscribe(follow)
  follow()
}

const reportFaults = (notices: Notices) => {
  window.addEventListener("qheal", () => notices.show("error", "Part of this page had a fault and was drawn again."))
  window.addEventListener("vite:preloadError", (event) => {
    event.preventDefault()
    notices.show("info", "A new version of the console is there.", {
      label: "Reload",
      run: () => window.location.reload()
    })
  })
}

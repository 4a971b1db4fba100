import { fieldsOf, filledText } from "../../../src/contract/looseFields.ts"
import type { AppServices } from "../base/AppContext.ts"
import type { Notices } from "../base/Notices.ts"
import type { Client } from "../core/client/Client.ts"
import { below, ownName } from "../core/common/basePath.ts"
import { say } from "../core/language/say.ts"

/** How long the server may take to say which version it has. */
const LIMIT_MS = 5_000

/** Offers to load the page again, which brings the server's version. */
export const announceVersion = (notices: Pick<Notices, "show">): void =>
  notices.show("info", say("A new version is available."), {
    label: say("Reload"),
    run: () => window.location.reload()
  })

/**
 * Whether the server's page starts with another file than this one did, so that files this one names may be gone. False
 * while the server can't be reached.
 */
export const hasNewVersion = async (): Promise<boolean> => {
  const started = document.querySelector("script[type=module][src]")?.getAttribute("src")
  if (!navigator.onLine || started == null) return false
  try {
    const page = await fetch(below("/"), { cache: "no-store", signal: AbortSignal.timeout(LIMIT_MS) })
    const text = page.ok && !page.redirected ? await page.text() : ""
    // Another page, such as a sign-in in between, has none of the console's scripts.
    return /\/assets\/index-/.test(text) && !text.includes(started)
  } catch {
    return false
  }
}

/** The build that this tab has loaded itself again for: once is enough where an old page comes back from a cache. */
const RELOADED = ownName("agent-console:reloaded-for")

/** Notes that this tab loads itself again for a build; false if it did so before, or if the browser keeps no notes. */
const noteReload = (build: string): boolean => {
  try {
    if (sessionStorage.getItem(RELOADED) === build) return false
    sessionStorage.setItem(RELOADED, build)
    return true
  } catch {
    return false
  }
}

/** What a reload would lose or interrupt. */
const OPEN = "dialog[open], :popover-open, [contenteditable=true], .voice-strip.is-shown"
const FIELDS = "textarea, input:not([type=checkbox], [type=radio], [type=hidden])"

/** Whether nothing is typed or open, so that a reload takes nothing away. */
export const isIdle = (page: ParentNode): boolean =>
  page.querySelector(OPEN) === null &&
  [...page.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(FIELDS)].every(({ value }) => value === "")

/**
 * Follows the build of the console's answers and connections. One of another build than this page's is announced, and loaded as soon as
 * that disturbs nobody.
 */
export const followBuild = (
  { build: own, onBuild }: Pick<Client, "build" | "onBuild">,
  notices: Pick<Notices, "show">,
  reload = () => window.location.reload()
): void => {
  let known = own
  const tryReload = () => {
    if (known !== own && isIdle(document) && noteReload(known)) reload()
  }
  if (own === "") return
  document.addEventListener("visibilitychange", tryReload)
  onBuild((build) => {
    if (build !== known && build !== own) announceVersion(notices)
    known = build
    tryReload()
  })
}

/** Announces a new version once, when one worker replaces another. */
const followUpdates = (registration: ServiceWorkerRegistration, app: AppServices): void => {
  registration.addEventListener("updatefound", () => {
    const worker = registration.installing
    if (worker === null || navigator.serviceWorker.controller === null) return
    worker.addEventListener("statechange", () => {
      if (worker.state !== "activated") return
      announceVersion(app.notices)
    })
  })
  // The server may have been updated while the link was down.
  app.client.link.hello.subscribe((hello) => {
    if (hello !== null) void registration.update().catch(() => {})
  })
}

/** Asks the worker to cache the screens that are not open yet, once the browser is idle. */
const keepAll = async (): Promise<void> => {
  const { active } = await navigator.serviceWorker.ready
  const ask = () => active?.postMessage({ type: "keepAll" })
  if ("requestIdleCallback" in window) requestIdleCallback(ask)
  else setTimeout(ask, 2_000)
}

/** Notifies the worker of each sign-in, since it may have cached pages that need one. */
const followSignIn = ({ client }: AppServices): void => {
  const notifyWorker = async () => {
    const auth = client.auth.get()
    if (auth !== "signedIn" && auth !== "notNeeded") return
    const { active } = await navigator.serviceWorker.ready
    active?.postMessage({ type: "signedIn" })
  }
  client.auth.subscribe(() => void notifyWorker())
  void notifyWorker()
}

/** Installs the service worker if the browser allows one; the page works without it. */
export const followWorker = (app: AppServices): void => {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    const { type, path } = fieldsOf(data)
    const to = filledText(path)
    if (type === "navigate" && to?.startsWith(below("/")) === true) app.router.navigate(to)
  })
  const register = async () => {
    const registration: ServiceWorkerRegistration | undefined = await navigator.serviceWorker
      .register(below("/sw.js"))
      .catch(() => undefined)
    if (registration === undefined) return
    followUpdates(registration, app)
    followSignIn(app)
    void keepAll()
  }
  // After the first screen, so that what the worker caches doesn't compete with it.
  if (document.readyState === "complete") void register()
  else window.addEventListener("load", () => void register(), { once: true })
}

import type { AppServices } from "../base/AppContext.ts"
import { fieldsOf, filledText } from "../core/common/decode.ts"
import { announceVersion } from "./newVersion.ts"

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

/** Asks the worker for the screens that nobody has opened yet, once the browser has nothing else to do. */
const keepAll = async (): Promise<void> => {
  const { active } = await navigator.serviceWorker.ready
  const ask = () => active?.postMessage({ type: "keepAll" })
  if ("requestIdleCallback" in window) requestIdleCallback(ask)
  else setTimeout(ask, 2_000)
}

/** Tells the worker of each sign-in: it may have kept what needs one. */
const followSignIn = ({ client }: AppServices): void => {
  const tell = async () => {
    const auth = client.auth.get()
    if (auth !== "signedIn" && auth !== "notNeeded") return
    const { active } = await navigator.serviceWorker.ready
    active?.postMessage({ type: "signedIn" })
  }
  client.auth.subscribe(() => void tell())
  void tell()
}

/** Installs the service worker if the browser allows one; the page works without it. */
export const followWorker = (app: AppServices): void => {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    const { type, path } = fieldsOf(data)
    const to = filledText(path)
    if (type === "navigate" && to?.startsWith("/") === true) app.router.navigate(to)
  })
  const register = async () => {
    const registration: ServiceWorkerRegistration | undefined = await navigator.serviceWorker
      .register("/sw.js")
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

import { fieldsOf, filledText } from "../core/decode.ts"
import type { AppServices } from "./ConsoleContext.ts"

/** Tells once that a new version has come, when a worker takes the place of another. */
const followUpdates = (registration: ServiceWorkerRegistration, app: AppServices): void => {
  registration.addEventListener("updatefound", () => {
    const worker = registration.installing
    if (worker === null || navigator.serviceWorker.controller === null) return
    worker.addEventListener("statechange", () => {
      if (worker.state !== "activated") return
      app.notices.show("info", "A new version of the console is there.", {
        label: "Reload",
        run: () => window.location.reload()
      })
    })
  })
  // The server may have been updated while the link was down.
  app.console.link.hello.subscribe((hello) => {
    if (hello !== null) void registration.update().catch(() => {})
  })
}

/** Has the service worker installed where the browser allows one; the page works without it. */
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
    if (registration !== undefined) followUpdates(registration, app)
  }
  // After the first screen: what the worker keeps must not compete with it.
  if (document.readyState === "complete") void register()
  else window.addEventListener("load", () => void register(), { once: true })
}

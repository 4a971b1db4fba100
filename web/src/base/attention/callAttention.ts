import { type Attention, attentionText, isNews, watchAttention } from "../../core/attention/Attention.ts"
import { claimMoment, claimStoredMoment } from "../../core/attention/claimMoment.ts"
import { lastingStorage, uuid } from "../../core/link/browserEnvironment.ts"
import { PUSH_DEVICE } from "../../core/push/pushTypes.ts"
import type { AppServices } from "../AppContext.ts"
import { addressedSession, chatPath } from "../routes.ts"
import { notificationRight } from "./notificationRight.ts"
import { playSignal } from "./playSignal.ts"

/** Shows a notification; one for the same session replaces the previous one, in all tabs. A click opens the session. */
const notify = (app: AppServices, attention: Attention): void => {
  const path = chatPath(attention.sessionKey)
  const options = { body: attentionText(attention).slice(0, 200), tag: attention.sessionKey, icon: "/icon-192.png" }
  try {
    const notification = new Notification(attention.title, options)
    notification.onclick = () => {
      window.focus()
      app.router.navigate(path)
      notification.close()
    }
  } catch {
    // Phones only show notifications from a service worker, which then opens the session.
    void navigator.serviceWorker?.ready.then((worker) =>
      worker.showNotification(attention.title, { ...options, data: { path } })
    )
  }
}

/** Milliseconds within which even a busy machine shows tabs what one of them stored. */
const SETTLE_MS = 500
const settled = () => new Promise<void>((resolve) => setTimeout(resolve, SETTLE_MS))

const claim = (what: string, at: number): Promise<boolean> =>
  navigator.locks === undefined
    ? claimStoredMoment(lastingStorage(), { what, at, by: uuid() }, settled)
    : claimMoment(navigator.locks, what, at)

/** Plays the sound in only one tab of the browser. */
const sound = async ({ kind, sessionKey, at }: Attention): Promise<void> => {
  // A tab nobody has touched may not play sound, and must not take the turn of one that may.
  if (navigator.userActivation?.hasBeenActive === false) return
  // Better two sounds than none if a browser refuses locks or its storage is full.
  if (await claim(`${kind} ${sessionKey}`, at).catch(() => true)) playSignal()
}

/** Notifies when an agent finishes, fails or asks something, as the settings allow. */
export const callAttention = (app: AppServices): (() => void) =>
  watchAttention(app.client.sessions, app.client.link, (attention) => {
    const settings = app.client.settings.state.get()
    const openSession =
      addressedSession(app.router.location.get()) === undefined ? null : app.client.sessions.activeKey.get()
    if (!isNews(attention.sessionKey, { isVisible: document.visibilityState === "visible", openSession })) return
    // A browser that gets the console's own notifications is told of what an agent asks by those.
    const isTold = attention.kind === "asks" && lastingStorage().getItem(PUSH_DEVICE) !== null
    if (!isTold && settings.notifications === "on" && notificationRight() === "granted") notify(app, attention)
    if (settings.sound === "on") void sound(attention)
  })

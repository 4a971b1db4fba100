import type { AppServices } from "../app/ConsoleContext.ts"
import { addressedSession, chatPath } from "../app/routes.ts"
import { type Attention, attentionText, isNews, watchAttention } from "../core/attention/Attention.ts"
import { claimMoment, claimStoredMoment } from "../core/attention/claimMoment.ts"
import { lastingStorage } from "../core/browserEnvironment.ts"
import { notificationRight } from "./notificationRight.ts"
import { playSignal } from "./playSignal.ts"

/** Shows a notification; one of a session takes the place of the one before it, in all tabs. A click opens the session. */
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
    // Phones show notifications of a service worker only; it opens the session then.
    void navigator.serviceWorker?.ready.then((worker) =>
      worker.showNotification(attention.title, { ...options, data: { path } })
    )
  }
}

const claim = async (what: string, at: number): Promise<boolean> =>
  navigator.locks === undefined ? claimStoredMoment(lastingStorage(), what, at) : claimMoment(navigator.locks, what, at)

/** Plays the sound in one tab of the browser. */
const sound = async ({ kind, sessionKey, at }: Attention): Promise<void> => {
  // A tab that nobody has touched may not sound, and must not take the sound from one that may.
  if (navigator.userActivation?.hasBeenActive === false) return
  // Better two sounds than none where a browser refuses locks, or its storage is full.
  if (await claim(`${kind} ${sessionKey}`, at).catch(() => true)) playSignal()
}

/** Calls when an agent finishes, fails or asks, as the settings allow. */
export const callAttention = (app: AppServices): (() => void) =>
  watchAttention(app.console.sessions, app.console.link, (attention) => {
    const settings = app.console.settings.state.get()
    const openSession =
      addressedSession(app.router.location.get()) === undefined ? null : app.console.sessions.activeKey.get()
    if (!isNews(attention.sessionKey, { isVisible: document.visibilityState === "visible", openSession })) return
    if (settings.notifications === "on" && notificationRight() === "granted") notify(app, attention)
    if (settings.sound === "on") void sound(attention)
  })

import { type Attention, attentionText, isNews, watchAttention } from "../core/attention/Attention.ts"
import { claimMoment, claimStoredMoment } from "../core/attention/claimMoment.ts"
import { below } from "../core/common/basePath.ts"
import { say } from "../core/language/say.ts"
import { lastingStorage, uuid } from "../core/link/browserEnvironment.ts"
import { PUSH_DEVICE } from "../core/push/pushTypes.ts"
import type { AppServices } from "./AppContext.ts"
import { addressedSession, chatPath } from "./routes.ts"

/** Two rising notes in hertz, and the length of each in seconds. */
const NOTES = [660, 880]
const LENGTH = 0.12
const VOLUME = 0.12

let context: AudioContext | null = null

/** Plays a short sound; nothing if the browser doesn't allow sound before the page was touched. */
export const playSignal = (): void => {
  context ??= new AudioContext()
  const { currentTime, destination } = context
  for (const [index, hertz] of NOTES.entries()) {
    const from = currentTime + index * LENGTH
    const tone = new OscillatorNode(context, { frequency: hertz })
    const volume = new GainNode(context, { gain: 0 })
    volume.gain.setValueAtTime(0, from)
    volume.gain.linearRampToValueAtTime(VOLUME, from + 0.01)
    volume.gain.linearRampToValueAtTime(0, from + LENGTH)
    tone.connect(volume).connect(destination)
    tone.start(from)
    tone.stop(from + LENGTH)
  }
  void context.resume().catch(() => {})
}

/** Whether this page may show notifications, and if not, why. */
export type NotificationRight = "granted" | "askable" | "denied" | "insecure" | "missing"

/** Checks without prompting anyone. */
export const notificationRight = (): NotificationRight => {
  if (!window.isSecureContext) return "insecure"
  if (!("Notification" in window)) return "missing"
  if (Notification.permission === "default") return "askable"
  return Notification.permission
}

/** What a notification says, and what a click on it opens. */
interface Shown {
  readonly title: string
  readonly body: string
  /** One with the same tag replaces the previous one, in all tabs. */
  readonly tag: string
  readonly path: string
}

/** Shows a notification. */
const notify = (app: AppServices, { body, path, tag, title }: Shown): void => {
  const options = { body, tag, icon: below("/icon-192.png") }
  try {
    const notification = new Notification(title, options)
    notification.onclick = () => {
      window.focus()
      app.router.navigate(path)
      notification.close()
    }
  } catch {
    // Phones only show notifications from a service worker, which then opens the page.
    void navigator.serviceWorker?.ready.then((worker) => worker.showNotification(title, { ...options, data: { path } }))
  }
}

/** Shows and sounds what the settings allow, so that a person sees that it works. */
export const testAttention = (app: AppServices): void => {
  const { notifications, sound } = app.client.settings.state.get()
  if (notifications === "on" && notificationRight() === "granted")
    notify(app, {
      title: "Agent Console",
      body: say("Notifications work."),
      tag: "test",
      path: below("/settings/notifications")
    })
  if (sound === "on") playSignal()
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
  // A tab without user activation may not play sound, so it leaves the signal to another tab.
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
    // A browser with push notifications receives an agent's questions through them.
    const isPushed = attention.kind === "asks" && lastingStorage().getItem(PUSH_DEVICE) !== null
    if (!isPushed && settings.notifications === "on" && notificationRight() === "granted")
      notify(app, {
        title: attention.title,
        body: attentionText(attention).slice(0, 200),
        tag: attention.sessionKey,
        path: chatPath(attention.sessionKey)
      })
    if (settings.sound === "on") void sound(attention)
  })

import type { BrowserContext, Page } from "playwright-core"
import type { PushDouble } from "../../support/pushDouble.ts"

/** A browser whose push service is the double: what it sends reaches the real service worker by `deliver`. */
export const stubPush = async (page: Page, subscription: ReturnType<PushDouble["subscribe"]>): Promise<void> => {
  await page.context().addInitScript((given) => {
    const key = "test:subscribed"
    const made = { ...given, options: { applicationServerKey: null }, toJSON: () => given, unsubscribe: () => leave() }
    const leave = () => Promise.resolve(localStorage.removeItem(key) === undefined)
    Object.assign(PushManager.prototype, {
      subscribe: (options: PushSubscriptionOptionsInit) => {
        localStorage.setItem(key, String(options.applicationServerKey))
        return Promise.resolve(made)
      },
      getSubscription: () => Promise.resolve(localStorage.getItem(key) === null ? null : made)
    })
  }, subscription)
}

/** Records the worker's reactions to the next messages, in its global scope. */
const keepNext = (count: number): string => `(() => {
  const { waitUntil } = (self.untouched ??= { waitUntil: ExtendableEvent.prototype.waitUntil })
  const works = []
  self.nextPushes = new Promise((resolve) => {
    ExtendableEvent.prototype.waitUntil = function (work) {
      if (this.type === "push" && works.push(work) === ${count}) resolve(Promise.all(works))
      return waitUntil.call(this, work)
    }
  })
})()`

/**
 * Hands what a push service sent to the page's service worker, as the browser does, and waits until the worker has dealt
 * with all of it: Chromium forgets a notification that is just being shown while a page asks which ones are. A worker that was
 * ended is started by the message, and nobody waits for it.
 */
export const pushDelivery = async (page: Page): Promise<(...payloads: ReadonlyArray<unknown>) => Promise<void>> => {
  const session = await page.context().newCDPSession(page)
  const ids: Array<string> = []
  const known = new Promise<void>((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      for (const { registrationId } of registrations) ids.push(registrationId)
      if (ids.length > 0) resolve()
    })
  })
  await session.send("ServiceWorker.enable")
  await known
  const { origin } = new URL(page.url())
  return async (...payloads) => {
    const [worker] = page.context().serviceWorkers()
    await worker?.evaluate(keepNext(payloads.length))
    const registrationId = ids.at(-1) ?? ""
    const send = (payload: unknown) =>
      session.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data: JSON.stringify(payload) })
    await Promise.all(payloads.map(send))
    await worker?.evaluate("nextPushes")
  }
}

/** A notification as it's shown. */
export interface Shown {
  readonly tag: string
  readonly title: string
  readonly body: string
  readonly actions: ReadonlyArray<string>
  readonly stays: boolean
}

/** Waits for a number of notifications, and returns them. */
export const notices = (page: Page, count: number): Promise<ReadonlyArray<Shown>> =>
  page.evaluate(async (wanted) => {
    const worker = await navigator.serviceWorker.ready
    let shown = await worker.getNotifications()
    while (shown.length !== wanted) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      shown = await worker.getNotifications()
    }
    return shown.map((notification) => {
      const actions: unknown = Reflect.get(notification, "actions")
      const { tag, title, body, requireInteraction } = notification
      const labels = Array.isArray(actions) ? actions.map((action) => String(action.title)) : []
      return { tag, title, body, actions: labels, stays: requireInteraction }
    })
  }, count)

/**
 * Taps a notification, or one of its buttons: no test can tap what the system shows, so the worker gets the event that a
 * tap sends, and nothing that browsers allow only after a real tap. Returns which of those it asked for.
 */
export const tap = async (context: BrowserContext, tag: string, action = ""): Promise<ReadonlyArray<string>> => {
  const [worker] = context.serviceWorkers()
  if (worker === undefined) throw new Error("there is no service worker")
  return worker.evaluate(
    `(async ({ tag, action }) => {
      const asked = []
      WindowClient.prototype.focus = async function () { asked.push("focus"); return this }
      self.clients.openWindow = async (path) => { asked.push("open " + path); return null }
      const [notification] = await registration.getNotifications({ tag })
      const waiting = []
      const event = new NotificationEvent("notificationclick", { notification, action })
      event.waitUntil = (promise) => waiting.push(promise)
      dispatchEvent(event)
      await Promise.all(waiting)
      return asked
    })(${JSON.stringify({ tag, action })})`
  )
}

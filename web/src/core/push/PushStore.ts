import { type ActionResult, createObservable, type Readable } from "../common/Observable.ts"
import { asSentence } from "../common/phrases.ts"
import { say } from "../language/say.ts"
import type { ApiClient } from "../link/apiTypes.ts"
import type { KeyValueStorage } from "../link/Environment.ts"
import {
  type BrowserPush,
  type CurrentSubscription,
  OBSTACLES,
  PUSH_ADDRESS,
  PUSH_DEVICE,
  type PushChoices,
  type PushDevice,
  readDevice,
  readOverview
} from "./pushTypes.ts"

/** How long a browser may take to subscribe: some never answer. */
const PATIENCE_MS = 10_000

const TOO_SLOW = say(
  "The browser's push service didn't answer within 10 seconds. Check this device's internet connection, then try again."
)
const REFUSED = say(
  "The browser couldn't subscribe to its push service. Check this device's internet connection and the browser's privacy settings, then try again."
)
const DECLINED = say("Notifications weren't allowed. Allow them when the browser asks, or in its site settings.")

/** Notifications to devices, as known to this page. */
export interface PushState {
  readonly status: "loading" | "ready" | "failed"
  readonly message: string | null
  readonly devices: ReadonlyArray<PushDevice>
  /** This browser's own device; null while it gets no notifications. */
  readonly mine: PushDevice | null
}

const done: ActionResult = { ok: true, value: true }
const failed = (message: string): ActionResult => ({ ok: false, message })

/** The value, or `late` if it takes too long; a rejection is `late` too if `broken` isn't given. */
const within = <A, B>(promise: Promise<A>, late: B, broken: B = late): Promise<A | B> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<B>((resolve) => {
    timer = setTimeout(() => resolve(late), PATIENCE_MS)
  })
  return Promise.race([promise.catch(() => broken), limit]).finally(() => clearTimeout(timer))
}

export interface PushStore {
  readonly state: Readable<PushState>
  load(): Promise<void>
  /** Asks the person and the browser, and tells the console about this device. */
  switchOn(label: string): Promise<ActionResult>
  switchOff(): Promise<ActionResult>
  /** Shows the choice at once, and takes it back if the console doesn't accept it. */
  change(id: string, choices: PushChoices): Promise<ActionResult>
  test(id: string): Promise<ActionResult>
  remove(id: string): Promise<ActionResult>
}

/** Reads and changes which devices get notifications, and this browser's part in it. */
export function createPushStore(
  api: Pick<ApiClient, "request">,
  browser: BrowserPush,
  storage: KeyValueStorage
): PushStore {
  const state = createObservable<PushState>({ status: "loading", message: null, devices: [], mine: null })
  let serverKey = ""
  let off: string | null = null

  async function load(isAgain = false): Promise<void> {
    const [overview, current] = await Promise.all([
      api.request("GET", "/api/push", readOverview),
      browser.obstacle() === null ? within(browser.current(), null) : null
    ])
    if (!overview.ok) {
      state.set({ ...state.get(), status: "failed", message: overview.error.message })
      return
    }
    const { devices, publicKey } = overview.value
    serverKey = publicKey
    off = overview.value.off
    const id = storage.getItem(PUSH_DEVICE)
    const known = devices.find((device) => device.id === id) ?? null
    // It was removed on another device, or the browser has dropped the subscription.
    if (known === null && id !== null) {
      storage.removeItem(PUSH_DEVICE)
      storage.removeItem(PUSH_ADDRESS)
      void within(browser.unsubscribe(), undefined)
    }
    const canRenew = known !== null && current !== null && off === null && !isAgain
    const outcome = canRenew ? await renew(current) : "same"
    if (outcome === "told") return load(true)
    const mine = current === null || outcome === "lost" ? null : known
    state.set({ status: "ready", message: null, devices, mine })
  }

  /**
   * Tells the console of another address that the browser has meanwhile, and subscribes anew where the console has
   * another key than the browser subscribed with: `lost` if it can't reach this browser.
   */
  async function renew(current: CurrentSubscription): Promise<"same" | "told" | "lost"> {
    const address = storage.getItem(PUSH_ADDRESS)
    const isOtherKey = current.publicKey !== null && current.publicKey !== serverKey
    const next = isOtherKey ? await within(browser.subscribe(serverKey), null) : current
    if (next === null) return "lost"
    // Earlier versions didn't keep it.
    if (address === null && !isOtherKey) storage.setItem(PUSH_ADDRESS, next.endpoint)
    if (address === next.endpoint || (address === null && !isOtherKey)) return "same"
    const { endpoint, keys } = next
    const body = { endpoint, keys, replaces: address ?? current.endpoint }
    const renewed = await api.request("POST", "/api/push/subscriptions", readDevice, { body })
    if (!renewed.ok) return isOtherKey ? "lost" : "same"
    storage.setItem(PUSH_DEVICE, renewed.value.id)
    storage.setItem(PUSH_ADDRESS, endpoint)
    return "told"
  }

  async function remove(id: string): Promise<ActionResult> {
    const removed = await api.request("DELETE", path(id), () => true)
    await load()
    // Gone is what was wanted.
    return removed.ok || removed.error.kind === "not_found" ? done : failed(removed.error.message)
  }

  function patch(id: string, rule: (device: PushDevice) => PushDevice): void {
    const { devices, mine, ...rest } = state.get()
    const patched = devices.map((device) => (device.id === id ? rule(device) : device))
    state.set({ ...rest, devices: patched, mine: patched.find((device) => device.id === mine?.id) ?? null })
  }

  return {
    state,
    load: () => load(),
    switchOn: async (label) => {
      const obstacle = browser.obstacle()
      if (obstacle !== null) return failed(OBSTACLES[obstacle])
      // Subscribing alone would tell the browser's push service.
      if (off !== null) return failed(asSentence(off))
      if (!(await browser.askPermission())) return failed(DECLINED)
      const subscription = await within(browser.subscribe(serverKey), TOO_SLOW, REFUSED)
      if (typeof subscription === "string") return failed(subscription)
      const known = state.get().devices.some(({ id }) => id === storage.getItem(PUSH_DEVICE))
      const address = storage.getItem(PUSH_ADDRESS)
      const body = known
        ? { ...subscription, ...(address === null ? {} : { replaces: address }) }
        : { ...subscription, label }
      const added = await api.request("POST", "/api/push/subscriptions", readDevice, { body })
      if (!added.ok) return failed(added.error.message)
      storage.setItem(PUSH_DEVICE, added.value.id)
      storage.setItem(PUSH_ADDRESS, subscription.endpoint)
      await load()
      return done
    },
    switchOff: async () => {
      const { mine } = state.get()
      void within(browser.unsubscribe(), undefined)
      return mine === null ? done : remove(mine.id)
    },
    change: async (id, choices) => {
      patch(id, (device) => ({ ...device, ...choices }))
      const changed = await api.request("PATCH", path(id), readDevice, { body: choices })
      if (!changed.ok) {
        await load()
        return failed(changed.error.message)
      }
      return done
    },
    test: async (id) => {
      const sent = await api.request("POST", `${path(id)}/test`, () => true)
      await load()
      return sent.ok ? done : failed(sent.error.message)
    },
    remove
  }
}

const path = (id: string): string => `/api/push/subscriptions/${encodeURIComponent(id)}`

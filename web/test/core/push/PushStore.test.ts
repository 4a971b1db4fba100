import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import type { HttpMethod, RequestOptions } from "../../../src/core/link/apiTypes.ts"
import { memoryStorage } from "../../../src/core/link/browserEnvironment.ts"
import { createPushStore } from "../../../src/core/push/PushStore.ts"
import { browserName } from "../../../src/core/push/pageBrowserPush.ts"
import {
  type BrowserPush,
  type CurrentSubscription,
  PUSH_ADDRESS,
  PUSH_DEVICE,
  type PushObstacle
} from "../../../src/core/push/pushTypes.ts"
import { asAnswer } from "../support/asAnswer.ts"

const KEYS = { endpoint: "https://push.example/a", keys: { p256dh: "p", auth: "a" } }

/** A store with a console that keeps devices in a list, and a browser as the test says. */
const makeStore = (about: Partial<BrowserPush> = {}, off: string | null = null) => {
  const calls: Array<string> = []
  const unsubscribed: Array<true> = []
  let devices: Array<Record<string, unknown>> = []
  let refuse: string | null = null
  let subscribed: CurrentSubscription | null = null
  let publicKey = "key"
  const answerTo = (method: HttpMethod, path: string, body: unknown): unknown => {
    const id = /subscriptions\/([^/]+)$/.exec(path)?.[1]
    if (method === "GET") return { publicKey, subscriptions: devices, ...(off === null ? {} : { off }) }
    if (path.endsWith("/subscriptions")) {
      const { replaces, ...given } = Object(body)
      const known = devices.find(({ endpoint }) => endpoint === given.endpoint || endpoint === replaces)
      const device = { id: `device-${devices.length + 1}`, kinds: ["approval"], ...known, ...given }
      devices = [...devices.filter((other) => other !== known), device]
      return device
    }
    if (method === "PATCH") {
      devices = devices.map((device) => (device.id === id ? { ...device, ...Object(body) } : device))
      return devices.find((device) => device.id === id)
    }
    if (method === "DELETE") devices = devices.filter((device) => device.id !== id)
    return { ok: true }
  }
  const request = async <Answer, A>(
    method: HttpMethod,
    path: string,
    decode: (answer: Answer) => A | null,
    { body }: RequestOptions = {}
  ) => {
    calls.push(`${method} ${path}`)
    const error = { kind: "gateway", status: 502, message: refuse ?? "", retryAfterMs: null, body: null } as const
    if (refuse !== null && method !== "GET") return { ok: false, error } as const
    const value = decode(asAnswer(answerTo(method, path, body)))
    return value === null ? ({ ok: false, error } as const) : ({ ok: true, value } as const)
  }
  const browser: BrowserPush = {
    obstacle: () => null,
    askPermission: async () => true,
    current: async () => subscribed,
    subscribe: async (withKey) => {
      const endpoint = subscribed === null ? KEYS.endpoint : `${subscribed.endpoint}-next`
      subscribed = { ...KEYS, endpoint, publicKey: withKey }
      const { publicKey: _, ...address } = subscribed
      return address
    },
    unsubscribe: async () => {
      subscribed = null
      unsubscribed.push(true)
    },
    ...about
  }
  const storage = memoryStorage()
  const push = createPushStore({ request }, browser, storage)
  return {
    push,
    calls,
    storage,
    unsubscribed,
    devices: () => devices,
    forget: () => {
      devices = []
    },
    refuses: (sentence: string | null) => {
      refuse = sentence
    },
    /** The console has another key from now on. */
    changesKey: () => {
      publicKey = "another"
    },
    /** The browser has another address from now on. */
    moves: () => {
      if (subscribed !== null) subscribed = { ...subscribed, endpoint: "https://push.example/b" }
    }
  }
}

const messageOf = (result: { readonly ok: boolean; readonly message?: string }) => result.message ?? ""

describe("this browser's device", () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it("is switched on with a name, known again by another page, and switched off", async () => {
    const { push, devices, storage, unsubscribed } = makeStore()
    await push.load()
    assert.isNull(push.state.get().mine)
    assert.isTrue((await push.switchOn("Chrome on Linux")).ok)
    assert.strictEqual(push.state.get().mine?.label, "Chrome on Linux")
    assert.deepInclude(devices()[0], KEYS)
    await push.load()
    assert.strictEqual(push.state.get().mine?.id, storage.getItem(PUSH_DEVICE))
    assert.isTrue((await push.switchOff()).ok)
    assert.deepInclude(push.state.get(), { mine: null, devices: [] })
    assert.lengthOf(unsubscribed, 2)
  })

  it("isn't even offered to the browser's push service where the console sends nothing", async () => {
    const asked: Array<string> = []
    const { push, calls } = makeStore(
      {
        askPermission: async () => {
          asked.push("permission")
          return true
        }
      },
      "the demo sends no notifications, since a push service would pass them on"
    )
    await push.load()
    const result = await push.switchOn("Chrome on Linux")
    assert.strictEqual(messageOf(result), "The demo sends no notifications, since a push service would pass them on.")
    assert.deepStrictEqual(asked, [])
    assert.deepStrictEqual(calls, ["GET /api/push"])
  })

  it("is off, and unsubscribed, after it was removed elsewhere", async () => {
    const { push, forget, storage, unsubscribed } = makeStore()
    await push.switchOn("Phone")
    forget()
    await push.load()
    assert.isNull(push.state.get().mine)
    assert.isNull(storage.getItem(PUSH_DEVICE))
    assert.lengthOf(unsubscribed, 1)
  })

  it.each([
    ["insecure", /HTTPS/],
    ["homeScreen", /Home Screen/],
    ["missing", /Use a current Chrome/],
    ["denied", /blocks notifications/]
  ] as const)("isn't switched on where it can't be: %s", async (obstacle: PushObstacle, sentence) => {
    const { push, calls } = makeStore({ obstacle: () => obstacle })
    assert.match(messageOf(await push.switchOn("x")), sentence)
    assert.deepStrictEqual(calls, [])
  })

  it("isn't switched on when the person doesn't want it, or the browser can't", async () => {
    const declined = makeStore({ askPermission: async () => false })
    assert.match(messageOf(await declined.push.switchOn("x")), /weren't allowed/)
    const refused = makeStore({ subscribe: () => Promise.reject(new Error("no")) })
    assert.match(messageOf(await refused.push.switchOn("x")), /couldn't subscribe/)
    const silent = makeStore({ subscribe: () => new Promise(() => {}) })
    const waiting = silent.push.switchOn("x")
    await vi.advanceTimersByTimeAsync(10_000)
    assert.match(messageOf(await waiting), /within 10 seconds/)
    for (const { calls } of [declined, refused, silent]) assert.deepStrictEqual(calls, [])
  })

  it("is off when the browser doesn't say within 10 seconds whether it's subscribed", async () => {
    const { push } = makeStore({ current: () => new Promise(() => {}) })
    const loading = push.load()
    await vi.advanceTimersByTimeAsync(10_000)
    await loading
    assert.deepInclude(push.state.get(), { status: "ready", mine: null })
  })

  it("is renewed where the console has another key than it subscribed with", async () => {
    const { push, changesKey, devices, refuses } = makeStore()
    await push.load()
    await push.switchOn("Phone")
    changesKey()
    refuses("Not now.")
    await push.load()
    assert.isNull(push.state.get().mine, "the console can't reach it")
    refuses(null)
    await push.load()
    assert.lengthOf(devices(), 1)
    assert.deepInclude(devices()[0], { endpoint: "https://push.example/a-next", label: "Phone" })
    assert.strictEqual(push.state.get().mine?.label, "Phone")
  })

  it("is off where the browser doesn't subscribe with the console's new key", async () => {
    let times = 0
    const { push, changesKey, calls } = makeStore({
      current: async () => ({ ...KEYS, publicKey: "key" }),
      subscribe: () => (times++ === 0 ? Promise.resolve(KEYS) : Promise.reject(new Error("no")))
    })
    await push.load()
    await push.switchOn("Phone")
    changesKey()
    calls.length = 0
    await push.load()
    assert.isNull(push.state.get().mine)
    assert.deepStrictEqual(calls, ["GET /api/push"])
  })

  it("sends the console an address that the browser changed while nobody was signed in, once", async () => {
    const { push, calls, devices, moves, storage } = makeStore()
    await push.load()
    await push.switchOn("Phone")
    moves()
    calls.length = 0
    await push.load()
    await push.load()
    assert.deepStrictEqual(
      calls.filter((call) => call.startsWith("POST")),
      ["POST /api/push/subscriptions"]
    )
    assert.lengthOf(devices(), 1)
    assert.deepInclude(devices()[0], { endpoint: "https://push.example/b", label: "Phone" })
    assert.strictEqual(storage.getItem(PUSH_ADDRESS), "https://push.example/b")
    assert.strictEqual(push.state.get().mine?.label, "Phone")
  })

  it("of an earlier version, which kept no address, is left as it is", async () => {
    const { push, calls, storage } = makeStore()
    await push.load()
    await push.switchOn("Phone")
    storage.removeItem(PUSH_ADDRESS)
    calls.length = 0
    await push.load()
    assert.deepStrictEqual(calls, ["GET /api/push"])
    assert.strictEqual(storage.getItem(PUSH_ADDRESS), KEYS.endpoint)
  })

  it("shows a choice at once, and takes it back with a sentence if the console refuses", async () => {
    const { push, refuses } = makeStore()
    await push.switchOn("Phone")
    const id = push.state.get().mine?.id ?? ""
    const changing = push.change(id, { private: false })
    assert.isFalse(push.state.get().mine?.private)
    await changing
    refuses("Not now.")
    const refused = push.change(id, { private: true })
    assert.isTrue(push.state.get().mine?.private)
    assert.strictEqual(messageOf(await refused), "Not now.")
    assert.isFalse(push.state.get().mine?.private)
    assert.strictEqual(messageOf(await push.test(id)), "Not now.")
  })
})

it.each([
  [
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36",
    "Chrome on Android"
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1",
    "Safari on iPhone"
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0",
    "Edge on Windows"
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
    "Safari on Mac"
  ],
  ["something else", "Browser"]
])("a browser's name: %s", (userAgent, name) => {
  assert.strictEqual(browserName(userAgent), name)
})

import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { createObservable } from "../../../src/core/common/Observable.ts"
import type { ApiClient } from "../../../src/core/link/apiTypes.ts"
import { createIndexStore } from "../../../src/core/search/IndexStore.ts"
import { asAnswer } from "../support/asAnswer.ts"

let asked: Array<string>
let server: { state: string; progress?: number; paused?: string; anew?: string; toolOutput: boolean }
let counts: object
let accepts: boolean

const api: Pick<ApiClient, "request"> = {
  request: async (method, path, decode, options = {}) => {
    asked.push(`${method} ${path}${options.body === undefined ? "" : ` ${JSON.stringify(options.body)}`}`)
    const value = decode(asAnswer({ ...counts, ...server }))
    return accepts && value !== null
      ? { ok: true, value }
      : { ok: false, error: { kind: "server", status: 500, message: "No.", retryAfterMs: null, body: null } }
  }
}

const makeStore = () =>
  createIndexStore(
    {
      // The store asks nothing else.
      api: { ...unasked, ...api },
      events: { connected: createObservable(true), on: () => () => {}, start: () => {}, stop: () => {} }
    },
    Date.now
  )

const never = () => Promise.reject(new Error("not asked"))
const unasked = {
  authStatus: never,
  login: never,
  logout: never,
  connectDefaults: never,
  serverInfo: never,
  version: never,
  isKnownAddress: never,
  onUnauthorized: () => () => {},
  onForeign: () => () => {},
  onBuild: () => () => {},
  setToken: () => {}
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  asked = []
  accepts = true
  server = { state: "ready", toolOutput: true }
  counts = { messages: 3, documents: 2, bytes: 100 }
})
afterEach(() => vi.useRealTimers())

describe("IndexStore", () => {
  it("looks again while the index is being built and someone looks, and not after", async () => {
    server = { state: "building", progress: 0.2, toolOutput: true }
    const store = makeStore()
    const close = store.open()
    await vi.advanceTimersByTimeAsync(2_100)
    assert.strictEqual(asked.length, 2)
    server = { state: "ready", toolOutput: true }
    await vi.advanceTimersByTimeAsync(60_000)
    assert.strictEqual(asked.length, 3)
    assert.deepInclude(store.index.state.get().value, { state: "ready", progress: null, messages: 3, documents: 2 })
    close()
    server = { state: "building", toolOutput: true }
    await store.rebuild()
    const count = asked.length
    await vi.advanceTimersByTimeAsync(60_000)
    assert.strictEqual(asked.length, count)
  })

  it("says why the index is paused or built again, and looks until that's over", async () => {
    server = { state: "ready", paused: "free up some space", toolOutput: true }
    counts = {}
    const store = makeStore()
    store.open()
    await vi.advanceTimersByTimeAsync(100)
    const paused = { paused: "free up some space", anew: null, messages: null, documents: null, bytes: null }
    assert.deepInclude(store.index.state.get().value, paused)
    server = { state: "building", progress: 0, anew: "its file was damaged", toolOutput: true }
    await vi.advanceTimersByTimeAsync(2_000)
    assert.deepInclude(store.index.state.get().value, { paused: null, anew: "its file was damaged" })
    server = { state: "ready", toolOutput: true }
    await vi.advanceTimersByTimeAsync(2_000)
    assert.deepInclude(store.index.state.get().value, { paused: null, anew: null })
    const count = asked.length
    await vi.advanceTimersByTimeAsync(60_000)
    assert.strictEqual(asked.length, count)
  })

  it("sends the server a person's choice, and shows the result", async () => {
    const store = makeStore()
    await store.index.refresh()
    const done = store.setToolOutput(false)
    assert.isFalse(store.index.state.get().value?.toolOutput)
    accepts = true
    await done
    assert.isTrue(store.index.state.get().value?.toolOutput)
    await store.rebuild()
    await store.remove()
    assert.deepStrictEqual(
      asked.filter((one) => !one.startsWith("GET")),
      ['PATCH /api/search/index {"toolOutput":false}', "POST /api/search/index/rebuild", "DELETE /api/search/index"]
    )
  })

  it("keeps what it knew when it couldn't be asked, and says why", async () => {
    const store = makeStore()
    await store.index.refresh()
    accepts = false
    const done = await store.remove()
    assert.deepInclude(done, { ok: false })
    assert.strictEqual(store.index.state.get().problem, "No.")
    assert.strictEqual(store.index.state.get().value?.bytes, 100)
  })
})

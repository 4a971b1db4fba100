import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { createLiveLink, type LiveLink } from "../../../src/core/link/LiveLink.ts"
import { createLiveEvents } from "../../../src/core/link/liveEvents.ts"
import { FakeGateway } from "../support/FakeGateway.ts"

let browser: FakeGateway
let live: LiveLink
beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  browser = new FakeGateway()
  browser.live.isThere = true
  live = createLiveLink({ ...browser.env, build: "here" })
})
afterEach(() => {
  live.stop()
  vi.useRealTimers()
})

const settle = () => vi.advanceTimersByTimeAsync(0)
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const sockets = () => browser.live.sockets

describe("the page's own connection", () => {
  it("says hello, then opens what is shown, and what is shown later", async () => {
    const states: Array<unknown> = []
    live.open("gateways", { onState: (state) => states.push(state) })
    live.start()
    assert.isFalse(live.isUp.get())
    await settle()
    assert.isTrue(live.isUp.get())
    assert.deepStrictEqual(browser.live.socket.frames, [
      { t: "hello", v: 1, build: "here", tab: "id-1" },
      { t: "open", c: 1, topic: "gateways" }
    ])
    assert.deepStrictEqual(states, [{ items: [] }])
    const { close } = live.open("events", { onState: () => {} })
    assert.deepStrictEqual(browser.live.socket.frames.at(-1), { t: "open", c: 2, topic: "events" })
    close()
    assert.deepStrictEqual(browser.live.socket.frames.at(-1), { t: "close", c: 2 })
  })

  it("opens a topic as it was changed last, and tells which session is looked at, on every connection", async () => {
    const channel = live.open("sessions", { onState: () => {} }, { limit: 200, archived: true })
    channel.set({ limit: 400 })
    live.start()
    await settle()
    const opened = { t: "open", c: 1, topic: "sessions", limit: 400, archived: true }
    assert.deepStrictEqual(browser.live.socket.frames.at(-1), opened)
    channel.set({ limit: 800 })
    assert.deepStrictEqual(browser.live.socket.last("set"), { t: "set", c: 1, limit: 800 })
    live.look("agent:main:main")
    live.look("agent:main:main")
    const look = { t: "look", key: "agent:main:main" }
    assert.deepStrictEqual(browser.live.socket.frames.slice(-2), [{ t: "set", c: 1, limit: 800 }, look])
    browser.live.socket.drop()
    await pass(1_000)
    assert.deepStrictEqual(browser.live.socket.frames.slice(1), [{ ...opened, limit: 800 }, look])
    live.look(null)
    assert.deepStrictEqual(browser.live.socket.frames.at(-1), { t: "look", key: null })
  })

  it("goes on with a conversation from what it has, and asks for all of it when that doesn't hold any more", async () => {
    const shown: Array<string> = []
    const turns: Array<string> = []
    const conversation = (text: string) => ({ items: [{ key: "a", kind: "assistant", text }], head: {} })
    const snapshot = (e: string, s: number, text: string) =>
      browser.live.socket.deliver({ t: "snapshot", c: 1, e, s, state: conversation(text) })
    const opens = () => browser.live.socket.frames.filter(({ t }) => t === "open")
    const open = { t: "open", c: 1, topic: "conversation", key: "agent:main:main", rate: "live" }
    const channel = live.open(
      "conversation",
      {
        onState: ({ items }, epoch) =>
          shown.push(`${epoch} ${JSON.stringify(items.map((item) => "text" in item && item.text))}`),
        onTurn: ({ runId }) => turns.push(runId)
      },
      { key: "agent:main:main", rate: "live" }
    )
    live.start()
    await settle()
    assert.deepStrictEqual(opens(), [open])
    browser.live.socket.deliver({ t: "patch", c: 1, s: 4, ops: [{ op: "drop", key: "a" }] })
    assert.lengthOf(opens(), 1, "patches before the first state are of another channel")
    snapshot("e1", 3, "Hi")
    browser.live.socket.deliver({
      t: "patch",
      c: 1,
      s: 4,
      ops: [{ op: "add", key: "a", field: "text", at: 2, text: "!" }]
    })
    browser.live.socket.deliver({ t: "turn", c: 1, runId: "run", outcome: "done" })
    assert.deepStrictEqual(shown, ['e1 ["Hi"]', 'e1 ["Hi!"]'])
    assert.deepStrictEqual(turns, ["run"])
    channel.set({ rate: "slow" })
    assert.deepStrictEqual(browser.live.socket.frames.at(-1), { t: "set", c: 1, rate: "slow" })

    browser.live.socket.drop()
    await pass(1000)
    const slow = { ...open, rate: "slow" }
    assert.deepStrictEqual(opens(), [{ ...slow, have: { e: "e1", s: 4 } }])
    browser.live.socket.deliver({ t: "same", c: 1, e: "e1", s: 4 })
    assert.deepStrictEqual(shown.at(-1), 'e1 ["Hi!"]')
    channel.pause()
    assert.deepStrictEqual(browser.live.socket.frames.at(-1), { t: "close", c: 1 })
    browser.live.socket.deliver({ t: "patch", c: 1, s: 5, ops: [{ op: "drop", key: "a" }] })
    channel.resume()
    assert.deepStrictEqual(opens().at(-1), { ...slow, have: { e: "e1", s: 4 } })
    snapshot("e2", 9, "Ho")
    assert.deepStrictEqual(shown.slice(3), ['e2 ["Ho"]'])
    browser.live.socket.deliver({ t: "patch", c: 1, s: 12, ops: [{ op: "drop", key: "a" }] })
    assert.deepStrictEqual(opens().at(-1), slow, "a patch on another state")
    channel.reopen()
    assert.lengthOf(opens(), 4)
  })

  it("applies patches in their order, and opens a channel again whose patch builds on another state", async () => {
    browser.live.gateways = [{ id: "a", name: "A" }]
    const names: Array<unknown> = []
    live.open("gateways", { onState: ({ items }) => names.push(items.map(({ name }) => name)) })
    live.start()
    await settle()
    const patch = (s: number, name: string, more: object = {}) =>
      browser.live.socket.deliver({ t: "patch", c: 1, s, ops: [{ op: "set", key: "a", fields: { name } }], ...more })
    patch(2, "B")
    patch(5, "C", { from: 2 })
    assert.deepStrictEqual(names, [["A"], ["B"], ["C"]])
    patch(9, "D")
    assert.deepStrictEqual(names, [["A"], ["B"], ["C"], ["A"]], "it has the whole state again")
    patch(2, "E")
    assert.deepStrictEqual(names.at(-1), ["E"])
  })

  it("comes back after 1 s, doubling to 30 s, and after 50 attempts only when asked, woken or back in the network", async () => {
    live.start()
    await settle()
    browser.live.isThere = false
    browser.live.socket.drop()
    assert.isFalse(live.isUp.get())
    const pauses: Array<number> = []
    while (sockets().length < 50) {
      const [count, from] = [sockets().length, Date.now()]
      while (sockets().length === count) await pass(500)
      pauses.push(Date.now() - from)
      browser.live.socket.drop()
    }
    assert.deepStrictEqual(pauses.slice(0, 7), [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
    await pass(300_000)
    assert.lengthOf(sockets(), 50)
    browser.wakeUp()
    assert.lengthOf(sockets(), 51)
    browser.live.socket.drop()
    await pass(1000)
    assert.lengthOf(sockets(), 52)
    live.retryNow()
    assert.lengthOf(sockets(), 53)
  })

  it("waits at least as long as the console says", async () => {
    live.start()
    await settle()
    browser.live.socket.deliver({ t: "bye", why: { code: "TOO_MANY_FRAMES" }, retryAfterMs: 20_000 })
    browser.live.socket.drop(4429)
    await pass(19_000)
    assert.lengthOf(sockets(), 1)
    await pass(1000)
    assert.lengthOf(sockets(), 2)
  })

  it("connects again when it hears nothing for 60 s, or is never welcomed", async () => {
    live.start()
    await settle()
    await pass(59_000)
    browser.live.socket.deliver({ t: "tick", now: 1 })
    await pass(59_000)
    assert.lengthOf(sockets(), 1)
    browser.live.isThere = false
    await pass(1000)
    assert.lengthOf(sockets(), 2)
    assert.strictEqual(sockets()[0]?.closedBy, 1000)
    await pass(21_000)
    assert.lengthOf(sockets(), 3)
  })

  it("asks whether it is alive after a sleep, and connects again without an answer within 3 s", async () => {
    live.start()
    await settle()
    browser.wakeUp()
    const { n } = browser.live.socket.last("ping")
    browser.live.socket.deliver({ t: "tick", n, now: 1 })
    await pass(3000)
    assert.lengthOf(sockets(), 1)
    browser.wakeUp()
    await pass(2999)
    assert.lengthOf(sockets(), 1)
    await pass(1)
    assert.lengthOf(sockets(), 2)
    browser.goOffline()
    assert.lengthOf(sockets(), 3)
  })

  it("ends with the sign-in, and with another version of the console, which is another build", async () => {
    const heard: Array<string> = []
    live.onSignedOut(() => heard.push("signed out"))
    live.onBuild((build) => heard.push(build))
    browser.live.build = "there"
    live.start()
    await settle()
    browser.live.socket.drop(4401)
    await pass(60_000)
    assert.lengthOf(sockets(), 1)
    live.start()
    await settle()
    browser.live.socket.drop(4406)
    await pass(60_000)
    assert.lengthOf(sockets(), 2)
    assert.deepStrictEqual(heard, ["there", "signed out", "there", "other"])
  })

  it("says a typed token once it has one, and no more that one which isn't right", async () => {
    live.open("gateways", { onState: () => {} })
    live.start()
    await settle()
    live.setToken("typed")
    await settle()
    assert.strictEqual(browser.live.socket.last("hello").gatewayToken, "typed")
    browser.live.socket.deliver({ t: "gone", c: 1, why: { code: "NOT_TRUSTED" } })
    browser.live.socket.drop()
    await pass(1000)
    assert.notProperty(browser.live.socket.last("hello"), "gatewayToken")
  })
})

describe("the server's events", () => {
  it("are connected once nothing is missed, begin with the states, and reach who listens for them", async () => {
    const events = createLiveEvents(live)
    const heard: Array<unknown> = []
    events.on("status.changed", ({ data }) => heard.push(data))
    const stop = events.on("file.changed", ({ data }) => heard.push(data))
    events.start()
    assert.isFalse(events.connected.get())
    await settle()
    assert.isTrue(events.connected.get())
    const status = { gateway: "ok", since: 1 }
    const states = [{ event: "status.changed", data: status, ts: 1 }]
    browser.live.socket.deliver({ t: "snapshot", c: 1, e: "f", s: 1, state: { states } })
    browser.live.tell("file.changed", { path: "a", mtime: 1 })
    stop()
    browser.live.tell("file.changed", { path: "b", mtime: 1 })
    assert.deepStrictEqual(heard, [status, { path: "a", mtime: 1 }])
    browser.live.socket.drop()
    assert.isFalse(events.connected.get())
    await pass(1000)
    assert.isTrue(events.connected.get())
    events.stop()
    assert.isFalse(events.connected.get())
  })
})

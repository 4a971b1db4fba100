import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { createObservable, type Observable } from "../../../src/core/common/Observable.ts"
import { createGatewayLink } from "../../../src/core/link/GatewayLink.ts"
import type { GatewayLink } from "../../../src/core/link/linkTypes.ts"
import { createSessionsStore } from "../../../src/core/sessions/SessionsStore.ts"
import type { SessionNode, SessionsStore } from "../../../src/core/sessions/sessionTypes.ts"
import { FakeGateway } from "../support/FakeGateway.ts"

const MAIN = "agent:main:main"
const KEY = "agent:main:dashboard:old"
let gateway: FakeGateway
let link: GatewayLink
let store: SessionsStore
let waiting: Observable<ReadonlySet<string>>
let waitingFailure: Observable<string | null | undefined>
const settle = () => vi.advanceTimersByTimeAsync(1)

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  gateway = new FakeGateway()
  open()
})

afterEach(() => {
  store.dispose()
  link.dispose()
  vi.useRealTimers()
})

function open(): void {
  link = createGatewayLink({ env: gateway.env, needsLogin: async () => false, clientVersion: "1" })
  waiting = createObservable<ReadonlySet<string>>(new Set())
  waitingFailure = createObservable<string | null | undefined>(null)
  store = createSessionsStore(link, gateway.env, { waiting, waitingFailure })
}

async function connect(...sessions: ReadonlyArray<object>): Promise<void> {
  gateway.sessions = [...sessions]
  link.connect()
  await settle()
}

const stateOf = (key: string) => store.find(key)?.state
const changed = (payload: object) => gateway.socket.event("sessions.changed", payload)
const outline = (nodes: ReadonlyArray<SessionNode>): unknown =>
  nodes.map(({ row, children }) => [row.key, outline(children)])

describe("the list", () => {
  it("subscribes, reads after every connect, and always has the main session", async () => {
    assert.strictEqual(store.state.get().status, "loading")
    await connect()
    assert.deepStrictEqual(
      gateway.socket.requests.map(({ method }) => method),
      ["connect", "sessions.subscribe", "sessions.list"]
    )
    assert.deepStrictEqual(
      store.state.get().rows.map(({ key, title, kind }) => [key, title, kind]),
      [[MAIN, "Main", "main"]]
    )
    gateway.socket.drop()
    gateway.sessions = [{ key: MAIN, updatedAt: 5, status: "running", startedAt: 4 }]
    await vi.advanceTimersByTimeAsync(1_001)
    // What looks a run up is loaded with the first one.
    await vi.dynamicImportSettled()
    await vi.advanceTimersByTimeAsync(1)
    assert.strictEqual(stateOf(MAIN), "working")
  })

  it("is a forest: newest first, sub-agents under their parents, scheduled runs under their job, cycles broken", async () => {
    await connect(
      { key: MAIN, updatedAt: 1 },
      { key: "agent:main:chat", updatedAt: 5 },
      { key: "agent:main:subagent:a", updatedAt: 9, spawnedBy: MAIN },
      { key: "agent:main:subagent:b", updatedAt: 2, parentSessionKey: "agent:main:subagent:a" },
      { key: "agent:main:cron:j", updatedAt: 3 },
      { key: "agent:main:cron:j:run:s", updatedAt: 3 },
      { key: "agent:main:subagent:x", updatedAt: 0, spawnedBy: "agent:main:subagent:y" },
      { key: "agent:main:subagent:y", updatedAt: 0, spawnedBy: "agent:main:subagent:x" },
      { key: "agent:main:subagent:orphan", updatedAt: -1, spawnedBy: "agent:main:gone" }
    )
    assert.deepStrictEqual(outline(store.state.get().tree), [
      [MAIN, [["agent:main:subagent:a", [["agent:main:subagent:b", []]]]]],
      ["agent:main:chat", []],
      ["agent:main:cron:j", [["agent:main:cron:j:run:s", []]]],
      ["agent:main:subagent:x", []],
      ["agent:main:subagent:y", []],
      ["agent:main:subagent:orphan", []]
    ])
    assert.deepStrictEqual(store.state.get().rows[0]?.kind, "subagent")
  })

  it("survives rows and events that make no sense", async () => {
    gateway.answers["sessions.list"] = () => ({
      sessions: [null, 5, {}, { key: "" }, { key: "k", updatedAt: "x", thinkingLevels: [1, { id: "low" }] }]
    })
    await connect()
    for (const payload of [{}, { sessionKey: 5 }, { session: [] }]) changed(payload)
    gateway.socket.event("chat", {})
    assert.deepStrictEqual(store.find("k")?.thinkingLevels, [{ id: "low", label: "low" }])
  })

  describe("of a gateway with more sessions than are read", () => {
    const HELPER = "agent:main:subagent:of-main"
    const AWAY = "agent:main:dashboard:put-away"
    const old = {
      [MAIN]: { key: MAIN, updatedAt: 5, model: "swift", modelProvider: "demo", totalTokens: 10, contextTokens: 100 },
      [HELPER]: { key: HELPER, updatedAt: 4, spawnedBy: MAIN, label: "Helper" },
      [KEY]: { key: KEY, updatedAt: 3, label: "An old one", model: "scholar" },
      [`${KEY}:more`]: { key: `${KEY}:more`, updatedAt: 3 },
      [AWAY]: { key: AWAY, updatedAt: 2, label: "Put away", archived: true }
    }
    const newer = Array.from({ length: 300 }, (_, index) => ({ key: `agent:main:n${index}`, updatedAt: 1_000 - index }))

    const list = (protocol: number) => {
      gateway.protocol = protocol
      gateway.answers["sessions.list"] = ({ params }) => {
        const all = [...newer, ...Object.values(old)].filter(
          (row) =>
            (protocol < 4 || "archived" in row === (params.archived === true)) &&
            (typeof params.search !== "string" || row.key.includes(params.search)) &&
            (typeof params.spawnedBy !== "string" || ("spawnedBy" in row && row.spawnedBy === params.spawnedBy))
        )
        const sessions = all.slice(0, Number(params.limit))
        return { ts: 2_000, sessions, ...(protocol < 4 ? {} : { hasMore: sessions.length < all.length }) }
      }
    }

    it.each([3, 4])(
      "has its main session with its helpers and the open one all the same (protocol %i)",
      async (protocol) => {
        list(protocol)
        store.select(KEY)
        await connect()
        assert.deepInclude(store.find(MAIN), { updatedAt: 5, model: "swift", totalTokens: 10, contextTokens: 100 })
        const main = store.state.get().tree.find(({ row }) => row.key === MAIN)
        assert.deepStrictEqual(
          main?.children.map(({ row }) => row.title),
          ["Helper"]
        )
        assert.deepInclude(store.find(KEY), { title: "An old one", model: "scholar" })
        assert.isNull(store.find(`${KEY}:more`), "it only begins with the same key")
        assert.isTrue(store.state.get().hasMore)
        assert.lengthOf(store.state.get().rows, 203)
      }
    )

    it("looks for a session that's opened later, and keeps it while it's open", async () => {
      list(4)
      await connect()
      assert.isNull(store.find(KEY))
      store.select(KEY)
      await settle()
      assert.strictEqual(store.find(KEY)?.title, "An old one")
      await store.refresh()
      assert.strictEqual(store.find(KEY)?.title, "An old one")
      store.select(AWAY)
      await settle()
      assert.deepInclude(store.find(AWAY), { title: "Put away", archived: true })
      store.select("agent:main:n3")
      const before = gateway.socket.requests.length
      await settle()
      assert.strictEqual(gateway.socket.requests.length, before, "it's there")
    })

    it("has the list where the search fails", async () => {
      list(4)
      const answer = gateway.answers["sessions.list"]
      gateway.answers["sessions.list"] = (request) =>
        request.params.search === undefined ? answer?.(request) : { sessions: "none" }
      await connect()
      assert.lengthOf(store.state.get().rows, 202)
      assert.strictEqual(store.find(MAIN)?.model, null)
    })

    it("asks for nothing more where all sessions were read", async () => {
      gateway.protocol = 4
      await connect({ key: MAIN, updatedAt: 5 })
      store.select(KEY)
      await settle()
      assert.lengthOf(
        gateway.socket.requests.filter(({ method }) => method === "sessions.list"),
        1
      )
    })
  })

  it("an event that comes between question and answer is newer than the answer", async () => {
    gateway.held.add("sessions.list")
    await connect()
    const asked = gateway.socket.last("sessions.list")
    changed({ sessionKey: MAIN, session: { key: MAIN, label: "new name", updatedAt: 20 } })
    changed({ sessionKey: "gone", reason: "delete" })
    gateway.socket.answer(asked, {
      ts: 10,
      sessions: [{ key: MAIN, label: "old name", updatedAt: 5 }, { key: "gone" }]
    })
    await settle()
    assert.strictEqual(store.find(MAIN)?.title, "new name")
    assert.isNull(store.find("gone"))
  })
})

describe("states", () => {
  it("a message event with the row from before the run does not end the run", async () => {
    await connect({ key: MAIN, updatedAt: 100, status: "done", startedAt: 50, endedAt: 60 })
    changed({
      sessionKey: MAIN,
      phase: "start",
      session: { key: MAIN, updatedAt: 200, status: "running", startedAt: 200 }
    })
    changed({
      sessionKey: MAIN,
      phase: "message",
      session: { key: MAIN, updatedAt: 150, status: "done", startedAt: 50 }
    })
    assert.strictEqual(stateOf(MAIN), "working")
    changed({
      sessionKey: MAIN,
      phase: "end",
      session: { key: MAIN, updatedAt: 300, status: "done", startedAt: 200, endedAt: 290 }
    })
    assert.strictEqual(stateOf(MAIN), "idle", "it is on screen, so it is read")
  })

  it("a stopped run is over although one generation lists it as running for good, also after a reload", async () => {
    const row = { key: MAIN, updatedAt: 100, status: "running", startedAt: 100 }
    await connect(row)
    gateway.socket.event("chat", { sessionKey: MAIN, state: "aborted", message: { timestamp: 150 } })
    assert.strictEqual(stateOf(MAIN), "idle")
    store.dispose()
    link.dispose()
    open()
    await connect(row)
    assert.strictEqual(stateOf(MAIN), "idle")
    changed({ sessionKey: MAIN, phase: "start", session: { ...row, startedAt: 300, updatedAt: 300 } })
    assert.strictEqual(stateOf(MAIN), "working")
  })

  it("waiting for a person, error and unread are distinguished", async () => {
    const other = { key: "agent:main:o", updatedAt: 1, status: "running", startedAt: 1 }
    await connect(other)
    waiting.set(new Set(["agent:main:o"]))
    assert.strictEqual(stateOf("agent:main:o"), "waiting")
    waiting.set(new Set())
    assert.strictEqual(stateOf("agent:main:o"), "working")
    changed({ sessionKey: "agent:main:o", phase: "end", session: { ...other, status: "done", endedAt: 2_000 } })
    assert.deepStrictEqual([stateOf("agent:main:o"), store.state.get().unreadCount], ["unread", 1])
    changed({ sessionKey: "agent:main:o", phase: "error", session: { ...other, status: "failed", endedAt: 3_000 } })
    assert.strictEqual(stateOf("agent:main:o"), "error")
  })

  it("nothing is said of a run before it's known whether it waits for a person", async () => {
    waitingFailure.set(undefined)
    await connect({ key: "agent:main:o", updatedAt: 1, status: "running", startedAt: 1 })
    assert.strictEqual(stateOf("agent:main:o"), "idle")
    waiting.set(new Set(["agent:main:o"]))
    assert.strictEqual(stateOf("agent:main:o"), "waiting", "what was told meanwhile counts")
    waiting.set(new Set())
    waitingFailure.set(null)
    assert.strictEqual(stateOf("agent:main:o"), "working")
    waitingFailure.set("Try again later.")
    assert.strictEqual(stateOf("agent:main:o"), "working", "what can't be read holds nothing up")
  })

  it("unread counts from the first visit on, is read when looked at, and is remembered", async () => {
    const other = { key: "agent:main:o", updatedAt: 1, status: "done", endedAt: 900 }
    await connect(other)
    assert.strictEqual(store.state.get().unreadCount, 0, "what was there before the first visit is not news")
    changed({ sessionKey: "agent:main:o", session: { ...other, endedAt: 1_500 } })
    assert.strictEqual(store.state.get().unreadCount, 1)
    store.setVisible(false)
    store.select("agent:main:o")
    assert.strictEqual(store.state.get().unreadCount, 1, "nobody is looking")
    store.setVisible(true)
    assert.strictEqual(store.state.get().unreadCount, 0)
    store.dispose()
    link.dispose()
    open()
    assert.strictEqual(store.activeKey.get(), "agent:main:o")
    store.select(MAIN)
    await connect({ ...other, endedAt: 1_500 })
    assert.strictEqual(store.state.get().unreadCount, 0)
  })
})

describe("a new session", () => {
  const begun = () => gateway.socket.requests.filter(({ method }) => method !== "connect" && method !== "sessions.list")

  it("is on no gateway until something is written in it, and is open with what was chosen for it", async () => {
    await connect({ key: MAIN, updatedAt: 5 }, { key: KEY, updatedAt: 4 })
    const before = begun().length
    const key = store.create()
    assert.strictEqual(store.activeKey.get(), key)
    await store.rename(key, "Trip")
    assert.match(key, /^agent:main:dashboard:/)
    await store.setModel(key, "demo/swift")
    assert.deepInclude(store.find(key), { title: "Trip", model: "swift", modelProvider: "demo" })
    assert.notInclude(JSON.stringify(outline(store.state.get().tree)), key, "it's in no list")
    store.select(MAIN)
    assert.isNull(store.find(key))
    store.create()
    assert.strictEqual(store.activeKey.get(), key, "the one that was left is taken up again")
    assert.strictEqual(begun().length, before)
    await store.prepare(key)
    assert.deepStrictEqual(gateway.socket.last("sessions.patch").params, { key, label: "Trip", model: "demo/swift" })
    assert.isNull(store.prepare(key))
    changed({ sessionKey: key, reason: "send", session: { key, updatedAt: 9, status: "running" } })
    assert.include(JSON.stringify(outline(store.state.get().tree)), key)
    store.create()
    assert.notStrictEqual(store.activeKey.get(), key, "that one exists now")
  })
})

describe("actions", () => {
  it("rename and remove sessions, and say in a sentence what did not work", async () => {
    await connect()
    store.select(KEY)
    await store.rename(KEY, "  ")
    assert.deepStrictEqual(gateway.socket.last("sessions.patch").params, { key: KEY, label: null })
    await store.remove(KEY)
    assert.strictEqual(store.activeKey.get(), MAIN)
    gateway.held.add("sessions.delete")
    const removing = store.remove(MAIN)
    gateway.socket.refuse(
      gateway.socket.last("sessions.delete"),
      "INVALID_REQUEST",
      "Cannot delete the main session (x)."
    )
    assert.deepStrictEqual(await removing, {
      ok: false,
      message: "The main session can't be deleted. Clear it instead."
    })
  })
})

import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import type { EventName } from "../../../../src/contract/ConsoleEvent.ts"
import type { SessionMark } from "../../../../src/contract/schema/session.ts"
import { createObservable } from "../../../src/core/common/Observable.ts"
import type { ApiClient, EventListener } from "../../../src/core/link/apiTypes.ts"
import { createGatewayLink } from "../../../src/core/link/GatewayLink.ts"
import { createMarksStore, type KnownMarks, type MarksStore } from "../../../src/core/sessions/MarksStore.ts"
import { createSessionsStore } from "../../../src/core/sessions/SessionsStore.ts"
import { asAnswer } from "../support/asAnswer.ts"
import { FakeGateway } from "../support/FakeGateway.ts"

const MAIN = "agent:main:main"
const KEY = "agent:main:x"
const markOf = (change: Partial<SessionMark> = {}): SessionMark => ({
  sessionKey: KEY,
  pinned: false,
  archivedAt: null,
  group: null,
  seenAt: 0,
  ...change
})

/** A console that keeps marks, and a page's list of sessions in front of it. */
const makePage = (sessions: ReadonlyArray<object>, since = 1_000, isSilent = false) => {
  const gateway = new FakeGateway()
  gateway.sessions = [...sessions]
  const kept = new Map<string, SessionMark>()
  const sent: Array<unknown> = []
  let refusal: string | null = null
  let keptBy: string | undefined
  const listeners = new Map<string, EventListener>()
  const state = createObservable<KnownMarks | null>(null)
  const request: ApiClient["request"] = async (method, _, decode, options) => {
    if (isSilent) await new Promise(() => {})
    if (refusal !== null)
      return { ok: false, error: { kind: "invalid", status: 400, message: refusal, retryAfterMs: null, body: null } }
    if (method === "PATCH") {
      sent.push(options?.body)
      const mark = { ...markOf(), ...kept.get(KEY), ...Object(options?.body) }
      kept.set(mark.sessionKey, mark)
      const value = decode(asAnswer({ ...mark, keptBy }))
      if (value !== null) return { ok: true, value }
    }
    const value = decode(asAnswer({ marks: [...kept.values()], seenSince: [{ gatewayId: "primary", at: since }] }))
    return value === null
      ? { ok: false, error: { kind: "shape", status: 200, message: "?", retryAfterMs: null, body: null } }
      : { ok: true, value }
  }
  const events = {
    connected: createObservable(true),
    on: <Name extends EventName>(name: Name, listener: EventListener<Name>) => {
      listeners.set(name, listener)
      return () => listeners.delete(name)
    }
  }
  const marks: MarksStore = createMarksStore({ api: { request }, events }, state)
  const link = createGatewayLink({ env: gateway.env, needsLogin: async () => false, clientVersion: "1" })
  const store = createSessionsStore(link, gateway.env, {
    waiting: createObservable(new Set()),
    shared: { state, act: (action) => action(marks) }
  })
  link.connect()
  return {
    gateway,
    store,
    kept,
    sent,
    /** Every change is kept by the gateway from now on. */
    gatewayKeeps: () => {
      keptBy = "gateway"
    },
    refuse: (message: string | null) => {
      refusal = message
    },
    tell: (mark: SessionMark) => listeners.get("session.marked")?.({ event: "session.marked", data: mark, ts: 0 }),
    dispose: () => {
      store.dispose()
      link.dispose()
      marks.dispose()
    }
  }
}

const settle = () => vi.advanceTimersByTimeAsync(1)
let page: ReturnType<typeof makePage>

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
})
afterEach(() => {
  page.dispose()
  vi.useRealTimers()
})

const ended = (endedAt: number, more: object = {}) => ({
  key: KEY,
  updatedAt: endedAt,
  status: "done",
  startedAt: endedAt - 5,
  endedAt,
  ...more
})

describe("what another device has done", () => {
  it("holds back the list for a while, but not what a conversation asks about its last turn", async () => {
    const begun = { key: KEY, updatedAt: 1_500, status: "running", startedAt: 1_500 }
    page = makePage([begun], 1_000, true)
    page.gateway.uptimeMs = 5_000
    page.gateway.answers["sessions.list"] = () => ({ ts: Date.now(), sessions: [begun] })
    await settle()
    assert.deepStrictEqual(
      [page.store.state.get().status, page.store.wasCutOff(KEY), page.store.find("agent:main:other")],
      ["loading", true, null]
    )
    await vi.advanceTimersByTimeAsync(2_000)
    assert.deepStrictEqual([page.store.state.get().status, page.store.wasCutOff(KEY)], ["ready", true])
  })

  it("is shown at once, with a gateway that doesn't keep it", async () => {
    page = makePage([ended(1_500)])
    await settle()
    assert.strictEqual(page.store.state.get().unreadCount, 1, "it came after the console began to count")
    page.tell(markOf({ seenAt: 1_500, pinned: true, group: "Work" }))
    assert.strictEqual(page.store.state.get().unreadCount, 0)
    assert.deepInclude(page.store.find(KEY), { pinned: true, group: "Work" })
    page.tell(markOf({ seenAt: 1_500, archivedAt: 1_600 }))
    assert.deepStrictEqual(
      [page.store.state.get().rows.map(({ key }) => key), page.store.state.get().archived.map(({ key }) => key)],
      [[MAIN], [KEY]]
    )
    page.gateway.socket.event("sessions.changed", { sessionKey: KEY, phase: "start", session: ended(1_800) })
    assert.isFalse(page.store.find(KEY)?.archived, "a message brings it back")
  })

  it("is in the row of a gateway that stores it, also after a command that ends no run", async () => {
    page = makePage([ended(1_500, { unread: true, hasActiveRun: false })])
    await settle()
    assert.strictEqual(page.store.state.get().unreadCount, 1)
    const changed = (more: object) =>
      page.gateway.socket.event("sessions.changed", {
        sessionKey: KEY,
        reason: "patch",
        session: ended(1_500, { hasActiveRun: false, ...more })
      })
    changed({ unread: false })
    assert.strictEqual(page.store.state.get().unreadCount, 0)
    changed({ unread: true, lastInteractionAt: 1_600 })
    assert.strictEqual(page.store.state.get().unreadCount, 0)
  })
})

describe("what is pinned here", () => {
  it("is the gateway's own from then on where that keeps it", async () => {
    page = makePage([ended(1_500, { hasActiveRun: false, pinned: false })])
    page.gatewayKeeps()
    await settle()
    await page.store.mark(KEY, { pinned: true })
    const changed = (pinned: boolean) =>
      page.gateway.socket.event("sessions.changed", {
        sessionKey: KEY,
        reason: "patch",
        session: ended(1_500, { hasActiveRun: false, pinned })
      })
    changed(true)
    await vi.advanceTimersByTimeAsync(3_000)
    assert.isTrue(page.store.find(KEY)?.pinned)
    // Somebody else unpins it.
    changed(false)
    assert.isFalse(page.store.find(KEY)?.pinned)
  })
})

describe("what is read here", () => {
  it("is announced once, whichever of the two stores it", async () => {
    for (const more of [{}, { unread: true, hasActiveRun: false }]) {
      page = makePage([ended(1_500, more)])
      await settle()
      page.store.select(KEY)
      await settle()
      assert.deepStrictEqual(page.sent, [{ sessionKey: KEY, seenAt: 1_500 }])
      page.store.select(MAIN)
      page.store.select(KEY)
      await settle()
      assert.lengthOf(page.sent, 1)
      page.dispose()
    }
  })

  it("isn't announced if it has been seen, or while nobody looks", async () => {
    page = makePage([ended(900)])
    await settle()
    page.store.select(KEY)
    page.store.setVisible(false)
    page.gateway.socket.event("sessions.changed", { sessionKey: KEY, session: ended(1_500) })
    await settle()
    assert.lengthOf(page.sent, 0)
  })
})

describe("a change", () => {
  it("is shown before anybody has made it, and taken back with its reason when it's refused", async () => {
    page = makePage([ended(900)])
    await settle()
    const pinning = page.store.mark(KEY, { pinned: true })
    assert.isTrue(page.store.find(KEY)?.pinned)
    assert.isTrue((await pinning).ok)
    page.refuse("The disk is full.")
    const archiving = page.store.mark(KEY, { archivedAt: 2_000 })
    assert.isTrue(page.store.find(KEY)?.archived)
    assert.deepStrictEqual(await archiving, { ok: false, message: "The disk is full." })
    assert.deepInclude(page.store.find(KEY), { archived: false, pinned: true })
  })
})

describe("the list", () => {
  it("waits for the marks that give its order, but not for ever", async () => {
    page = makePage([ended(900)])
    page.refuse("Nobody answers.")
    await settle()
    assert.strictEqual(page.store.state.get().status, "ready", "it's shown without them")
  })

  it("has archived sessions of newer gateways once they're wanted", async () => {
    page = makePage([ended(900)])
    await settle()
    page.gateway.answers["sessions.list"] = ({ params }) => ({
      ts: 2_000,
      sessions:
        Object(params).archived === true ? [ended(800, { key: "agent:main:old", archived: true })] : [ended(900)]
    })
    page.store.setWantsArchived(true)
    await settle()
    const { archived, rows } = page.store.state.get()
    assert.sameMembers(
      rows.map(({ key }) => key),
      [KEY, MAIN]
    )
    assert.deepStrictEqual(
      archived.map(({ key }) => key),
      ["agent:main:old"]
    )
  })
})

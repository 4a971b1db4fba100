import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { type Attention, attentionText, isNews, watchAttention } from "../../../src/core/attention/Attention.ts"
import { createObservable } from "../../../src/core/common/Observable.ts"
import type { GatewayEventFrame } from "../../../src/core/link/linkTypes.ts"
import type { SessionRow, SessionsState } from "../../../src/core/sessions/sessionTypes.ts"
import { sessionRow } from "../../support/sessionRow.ts"

const KEY = "agent:main:one"
const stateOf = (rows: ReadonlyArray<SessionRow>): SessionsState => ({
  status: "ready",
  message: null,
  rows,
  tree: [],
  archived: [],
  unreadCount: 0,
  hasMore: false
})

describe("watchAttention", () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const watched = (first: ReadonlyArray<SessionRow> = []) => {
    const state = createObservable(stateOf(first))
    const listeners = new Set<(frame: GatewayEventFrame) => void>()
    const told: Array<Attention> = []
    const onEvent = (listener: (frame: GatewayEventFrame) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
    const stop = watchAttention({ state }, { onEvent }, (attention) => told.push(attention))
    const show = (change: Partial<SessionRow>) =>
      state.set(stateOf([sessionRow({ key: KEY, title: "One", preview: "Done it", endedAt: 5, ...change })]))
    const abort = () => {
      for (const listener of listeners)
        listener({ event: "chat", payload: { state: "aborted", sessionKey: KEY }, seq: null })
    }
    const kinds = () => {
      vi.advanceTimersByTime(2_000)
      return told.map((attention) => attention.kind)
    }
    return { show, abort, kinds, told, stop }
  }

  it("is silent about a run that never ended, such as one lost with its gateway", () => {
    const { show, kinds } = watched()
    show({ state: "working", endedAt: null })
    show({ state: "idle", endedAt: null })
    assert.deepStrictEqual(kinds(), [])
  })

  it("reports an end, a failure and a question, each once", () => {
    const { show, kinds, told } = watched()
    show({ state: "working" })
    show({ state: "unread" })
    const at = Date.now()
    assert.deepStrictEqual(kinds(), ["finished"])
    assert.deepStrictEqual(told[0], { kind: "finished", sessionKey: KEY, title: "One", preview: "Done it", at })
    show({ state: "working" })
    show({ state: "waiting" })
    show({ state: "waiting", title: "Renamed" })
    assert.deepStrictEqual(kinds(), ["finished", "asks"])
    show({ state: "working" })
    show({ state: "error", failed: true })
    assert.deepStrictEqual(kinds(), ["finished", "asks", "failed"])
    show({ state: "working" })
    show({ state: "idle", failed: true })
    assert.strictEqual(kinds().at(-1), "failed", "also where another tab saw it")
  })

  it("says nothing of what was there before, of helpers, and of a run that goes on", () => {
    const { show, kinds } = watched()
    show({ state: "unread" })
    show({ state: "working", kind: "subagent" })
    show({ state: "unread", kind: "subagent" })
    show({ state: "working" })
    show({ state: "idle" })
    show({ state: "working" })
    assert.deepStrictEqual(kinds(), [])
  })

  it("a run somebody stopped is no news, whichever word of it comes first", () => {
    const { show, abort, kinds } = watched()
    show({ state: "working" })
    abort()
    show({ state: "idle" })
    show({ state: "working" })
    show({ state: "unread" })
    abort()
    assert.deepStrictEqual(kinds(), [])
    show({ state: "working" })
    show({ state: "unread" })
    assert.deepStrictEqual(kinds(), ["finished"])
  })

  it("is quiet after its end", () => {
    const { show, kinds, stop } = watched()
    show({ state: "working" })
    show({ state: "unread" })
    stop()
    assert.deepStrictEqual(kinds(), [])
  })
})

describe("a notification", () => {
  it("comes when nobody looks or another session is open", () => {
    assert.isTrue(isNews(KEY, { isVisible: false, openSession: KEY }))
    assert.isTrue(isNews(KEY, { isVisible: true, openSession: "agent:main:main" }))
    assert.isTrue(isNews(KEY, { isVisible: true, openSession: null }))
    assert.isFalse(isNews(KEY, { isVisible: true, openSession: KEY }))
  })

  it("says what happened", () => {
    const about = { sessionKey: KEY, title: "One", preview: "Done it", at: 0 }
    assert.strictEqual(attentionText({ ...about, kind: "finished" }), "Done it")
    assert.strictEqual(attentionText({ ...about, kind: "finished", preview: null }), "Finished.")
    assert.strictEqual(attentionText({ ...about, kind: "asks" }), "Waiting for your answer.")
    assert.strictEqual(attentionText({ ...about, kind: "failed" }), "Failed.")
  })
})

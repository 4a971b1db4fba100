import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { type Fields, numberOf } from "../../../../src/contract/looseFields.ts"
import { SessionsHarness } from "../support/SessionsHarness.ts"

const uuid = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`
const key = (index: number) => `agent:main:dashboard:${uuid(index)}`
/** A session as the older generation lists one that was used. */
const row = (index: number, change: object = {}) => ({
  key: key(index),
  sessionId: `s${index}`,
  derivedTitle: 'Sender (untrusted metadata): ```json { "label":…',
  lastMessagePreview: "echo",
  status: "done",
  updatedAt: 10_000 - index,
  ...change
})

const asked = (text: string, seq: number, more: object = {}) => ({
  role: "user",
  content: [{ type: "text", text }],
  __openclaw: { id: `m${seq}`, seq },
  ...more
})
const answered = (seq: number) => ({
  role: "assistant",
  content: [{ type: "text", text: "echo" }],
  stopReason: "stop",
  __openclaw: { id: `m${seq}`, seq }
})

let page: SessionsHarness
/** The messages of each session. */
let histories: Map<unknown, ReadonlyArray<object>>

beforeEach(() => {
  page = new SessionsHarness()
  page.gateway.protocol = 3
  histories = new Map()
  page.gateway.answers["chat.history"] = ({ params }) => historyOf(params)
})

afterEach(() => {
  page.dispose()
  vi.useRealTimers()
})

/** The end of a session, or what comes before it where an offset is asked for. */
function historyOf({ sessionKey, limit, offset }: Fields) {
  const all = histories.get(sessionKey) ?? []
  const end = all.length - (numberOf(offset) ?? 0)
  const messages = all.slice(Math.max(0, end - (numberOf(limit) ?? 200)), end)
  return page.gateway.protocol < 4
    ? { messages }
    : { messages, hasMore: end > messages.length, totalMessages: all.length }
}

describe("the title of a session that its gateway gives none", () => {
  it("is the first thing the person wrote, and is asked for once in this browser", async () => {
    histories.set(key(1), [asked("Plan a trip", 1), answered(2), asked("And now?", 3)])
    await page.connect(row(1))
    assert.strictEqual(page.title(key(1)), "Plan a trip")
    assert.lengthOf(page.histories, 1)
    await page.store.refresh()
    await page.reload()
    assert.strictEqual(page.title(key(1)), "Plan a trip")
    assert.lengthOf(page.histories, 0)
  })

  it("is “New session” until it is known", async () => {
    page.gateway.held.add("chat.history")
    await page.connect(
      row(1),
      row(2, { derivedTitle: "35a568b2 (2026-11-22)", status: undefined, lastMessagePreview: undefined })
    )
    assert.deepStrictEqual([page.title(key(1)), page.title(key(2))], ["New session", "New session"])
    assert.deepStrictEqual(
      page.histories.map(({ params }) => params.sessionKey),
      [key(1)],
      "an empty one is not asked"
    )
  })

  it("passes over what no person wrote", async () => {
    histories.set(key(1), [
      asked("A new session was started via /new or /reset. Run your Session Startup sequence", 1),
      answered(2),
      asked("/status", 3),
      asked("Result of a helper", 4, { provenance: { kind: "inter_session", sourceTool: "subagent_announce" } }),
      asked("System: [2026-11-22 14:06:49 UTC] Model switched to mock/x.\n\n\n[Sun 2026-11-22 14:06 UTC] Real words", 5)
    ])
    await page.connect(row(1))
    assert.strictEqual(page.title(key(1)), "Real words")
  })

  for (const protocol of [3, 4])
    it(`is found at the beginning of a long session (protocol ${protocol})`, async () => {
      page.gateway.protocol = protocol
      const turns = Array.from({ length: 120 }, (_, index) => [
        asked(`Question ${index}`, 2 * index + 1),
        answered(2 * index + 2)
      ])
      histories.set(key(1), turns.flat())
      await page.connect(row(1, { derivedTitle: undefined }))
      assert.strictEqual(page.title(key(1)), "Question 0")
      assert.lengthOf(page.histories, 2)
    })

  it("is heard as it is sent, long before the history has it", async () => {
    page.gateway.sessions = [
      row(1, { derivedTitle: "35a568b2 (2026-11-22)", status: undefined, lastMessagePreview: undefined })
    ]
    await page.connect()
    const session = row(1, { status: "running", startedAt: 5, lastMessagePreview: undefined })
    page.changed({ sessionKey: key(1), phase: "start", session })
    const message = { role: "user", content: "Plan a trip", __openclaw: { seq: 1 } }
    page.gateway.socket.event("session.message", { sessionKey: key(1), message, messageSeq: 1, session })
    assert.strictEqual(page.title(key(1)), "Plan a trip")
    page.changed({ sessionKey: key(1), phase: "message", session: { ...session, updatedAt: 15_000 } })
    await page.settle()
    assert.lengthOf(page.histories, 0, "what was heard need not be looked up yet")
    histories.set(key(1), [asked("Plan a trip", 1), answered(2)])
    page.changed({ sessionKey: key(1), phase: "end", session: row(1, { updatedAt: 20_000 }) })
    await page.settle()
    assert.lengthOf(page.histories, 1)
    assert.strictEqual(page.title(key(1)), "Plan a trip")
  })

  it("is looked up while a later run is going on, too, but not with every change of its row", async () => {
    histories.set(key(1), [asked("Plan a trip", 1), answered(2), asked("And now?", 3)])
    await page.connect(row(1, { status: "running", startedAt: 5 }), row(2, { status: "running", startedAt: 6 }))
    assert.strictEqual(page.title(key(1)), "Plan a trip")
    const before = page.histories.length
    for (const updatedAt of [20_000, 20_001])
      page.changed({
        sessionKey: key(2),
        phase: "message",
        session: row(2, { status: "running", startedAt: 6, updatedAt })
      })
    await page.settle()
    assert.lengthOf(page.histories, before)
  })

  it("is looked up two at a time, for as many sessions as are on screen", async () => {
    for (let index = 0; index < 100; index++) histories.set(key(index), [asked(`Words ${index}`, 1)])
    page.gateway.held.add("chat.history")
    await page.connect(...Array.from({ length: 100 }, (_, index) => row(index)))
    assert.deepStrictEqual(
      page.histories.map(({ params }) => params.sessionKey),
      [key(0), key(1)]
    )
    page.gateway.held.clear()
    for (const request of page.histories) page.gateway.socket.answer(request, historyOf(request.params))
    await page.settle()
    assert.lengthOf(page.histories, 60)
    assert.deepStrictEqual([page.title(key(59)), page.title(key(60))], ["Words 59", "New session"])
    page.store.wantTitles(Number.POSITIVE_INFINITY)
    await page.settle()
    assert.strictEqual(page.title(key(99)), "Words 99")
    assert.lengthOf(page.histories, 100)
  })

  it("is asked for again only when the session went on", async () => {
    await page.connect(row(1))
    await page.store.refresh()
    assert.lengthOf(page.histories, 1)
    histories.set(key(1), [asked("Words at last", 1)])
    page.gateway.sessions = [row(1, { updatedAt: 20_000 })]
    await page.store.refresh()
    await page.settle()
    assert.deepStrictEqual([page.histories.length, page.title(key(1))], [2, "Words at last"])
  })

  it("survives a gateway that does not answer", async () => {
    page.gateway.held.add("chat.history")
    await page.connect(row(1))
    histories.set(key(1), [asked("Plan a trip", 1)])
    page.gateway.held.clear()
    await page.reconnect()
    assert.strictEqual(page.title(key(1)), "Plan a trip")
  })

  it("begins anew when the session was emptied", async () => {
    page.gateway.protocol = 4
    histories.set(key(1), [asked("Plan a trip", 1)])
    await page.connect(row(1, { derivedTitle: "clear-krill", displayName: "clear-krill" }))
    assert.strictEqual(page.title(key(1)), "Plan a trip")
    histories.clear()
    page.gateway.sessions = [row(1, { derivedTitle: undefined, status: undefined, lastMessagePreview: undefined })]
    page.changed({ sessionKey: key(1), reason: "reset" })
    await page.pass(500)
    assert.strictEqual(page.title(key(1)), "New session")
  })

  it("gives way to a name of the gateway or of a person", async () => {
    await page.connect(
      row(1, { derivedTitle: "Lisbon trip with children" }),
      row(2, { label: "Holidays" }),
      row(3, { key: "agent:main:notes" })
    )
    assert.deepStrictEqual([key(1), key(2), "agent:main:notes"].map(page.title), [
      "Lisbon trip with children",
      "Holidays",
      "notes"
    ])
    assert.lengthOf(page.histories, 0)
  })
})

import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import type { SessionNode } from "../../../src/core/sessions/sessionTypes.ts"
import { SessionsHarness } from "../support/SessionsHarness.ts"

const MAIN = "agent:main:main"
const OTHER = "agent:main:o"
const failed = (endedAt: number, key = OTHER, more: object = {}) => ({
  key,
  updatedAt: endedAt,
  status: "failed",
  startedAt: endedAt - 5,
  endedAt,
  hasActiveRun: false,
  ...more
})
const outline = (nodes: ReadonlyArray<SessionNode>): unknown =>
  nodes.map(({ row, children }) => (children.length === 0 ? row.key : [row.key, outline(children)]))

let page: SessionsHarness
beforeEach(() => {
  page = new SessionsHarness()
})
afterEach(() => {
  page.dispose()
  vi.useRealTimers()
})

describe("a failure", () => {
  it("is an error until a person has seen it, and isn't reported again", async () => {
    await page.connect(failed(900))
    assert.strictEqual(page.state(OTHER), "idle", "what was there before the first visit is not news")
    page.changed({ sessionKey: OTHER, phase: "error", session: failed(1_500) })
    assert.strictEqual(page.state(OTHER), "error")
    page.store.setVisible(false)
    page.store.select(OTHER)
    assert.strictEqual(page.state(OTHER), "error", "nobody is looking")
    page.store.setVisible(true)
    assert.deepStrictEqual([page.state(OTHER), page.store.find(OTHER)?.failed], ["idle", true])
    page.store.select(MAIN)
    await page.reload(failed(1_500))
    assert.strictEqual(page.state(OTHER), "idle")
    page.changed({ sessionKey: OTHER, phase: "error", session: failed(2_500) })
    assert.strictEqual(page.state(OTHER), "error", "a new one is news again")
  })

  it("is recognised by its time of change if its end is not reported", async () => {
    await page.connect(failed(1_500, OTHER, { endedAt: undefined, status: "timeout" }))
    assert.strictEqual(page.state(OTHER), "error")
    page.store.select(OTHER)
    assert.strictEqual(page.state(OTHER), "idle")
  })

  it("that was seen in one tab is seen in the others, and neither forgets what the other saw", async () => {
    await page.connect(failed(900), failed(900, "agent:main:p"))
    const second = new SessionsHarness(page)
    await second.connect()
    page.gateway.sessions = [failed(1_500), failed(1_500, "agent:main:p")]
    await page.store.refresh()
    await second.store.refresh()
    assert.deepStrictEqual([page.state(OTHER), second.state(OTHER)], ["error", "error"])
    page.store.select(OTHER)
    assert.strictEqual(second.state(OTHER), "idle")
    second.store.select("agent:main:p")
    second.dispose()
    page.store.select(MAIN)
    await page.reload()
    assert.deepStrictEqual([page.state(OTHER), page.state("agent:main:p")], ["idle", "idle"])
  })

  it("that was seen stays seen even if tabs don't receive each other's events", async () => {
    page.dispose()
    page = new SessionsHarness(undefined, () => null)
    await page.connect(failed(900), failed(900, "agent:main:p"))
    const second = new SessionsHarness(page)
    await second.connect(failed(1_500), failed(1_500, "agent:main:p"))
    await page.store.refresh()
    page.store.select(OTHER)
    second.store.select("agent:main:p")
    second.dispose()
    page.store.select(MAIN)
    await page.reload()
    assert.deepStrictEqual([page.state(OTHER), page.state("agent:main:p")], ["idle", "idle"])
  })

  it("of a helper is seen with the session it helped", async () => {
    const helper = "agent:main:subagent:1"
    await page.connect({ key: MAIN, updatedAt: 1, status: "done", endedAt: 500 })
    page.store.select(OTHER)
    page.gateway.sessions = [
      { key: MAIN, updatedAt: 1_700, status: "done", endedAt: 1_700 },
      failed(1_500, helper, { spawnedBy: MAIN })
    ]
    await page.store.refresh()
    assert.strictEqual(page.state(helper), "error")
    page.store.select(MAIN)
    assert.strictEqual(page.state(helper), "idle")
  })
})

describe("the last words of a session", () => {
  it("are those that were heard, which its row does not repeat", async () => {
    await page.connect({ key: OTHER, updatedAt: 5, status: "done", lastMessagePreview: "before" })
    const hear = (message: object) => page.gateway.socket.event("session.message", { sessionKey: OTHER, message })
    hear({ role: "assistant", content: [{ type: "text", text: "And now this." }] })
    hear({ role: "toolResult", content: [{ type: "text", text: "not for people" }] })
    page.changed({ sessionKey: OTHER, phase: "end", session: { key: OTHER, updatedAt: 9, status: "done", endedAt: 9 } })
    assert.strictEqual(page.store.find(OTHER)?.preview, "And now this.")
  })
})

describe("the family of a session", () => {
  it("is only what an agent spawned, not what a person made", async () => {
    const own = { parentSessionKey: MAIN, createdVia: "operator" }
    await page.connect(
      { key: MAIN, updatedAt: 9 },
      { key: "agent:main:dashboard:1", updatedAt: 8, ...own, spawnDepth: 0, classification: "dashboard" },
      { key: "agent:main:dashboard:2", updatedAt: 7, ...own, spawnDepth: 0, classification: "direct" },
      { key: "agent:main:dashboard:3", updatedAt: 6, ...own, classification: "direct" },
      { key: "agent:main:subagent:4", updatedAt: 5, spawnedBy: MAIN, parentSessionKey: MAIN, spawnDepth: 1 },
      { key: "agent:main:odd", updatedAt: 4, parentSessionKey: "agent:main:dashboard:2", spawnDepth: 2 },
      {
        key: "agent:main:strange",
        updatedAt: 3,
        parentSessionKey: "agent:main:dashboard:3",
        classification: "subagent"
      }
    )
    assert.deepStrictEqual(outline(page.store.state.get().tree), [
      [MAIN, ["agent:main:subagent:4"]],
      "agent:main:dashboard:1",
      ["agent:main:dashboard:2", ["agent:main:odd"]],
      ["agent:main:dashboard:3", ["agent:main:strange"]]
    ])
  })
})

describe("a session deleted in another browser", () => {
  it("leaves the list at once, also while it is open here", async () => {
    await page.connect(failed(900))
    page.store.select(OTHER)
    page.gateway.sessions = []
    page.changed({ sessionKey: OTHER, reason: "delete" })
    assert.isNull(page.store.find(OTHER))
    await page.store.refresh()
    assert.isNull(page.store.find(OTHER))
  })

  it("leaves it after a reconnect, too", async () => {
    await page.connect(failed(900))
    page.gateway.sessions = []
    await page.reconnect()
    assert.isNull(page.store.find(OTHER))
  })
})

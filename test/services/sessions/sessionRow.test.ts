import { assert, describe, it } from "@effect/vitest"
import type { ListedSession } from "../../../src/services/gateway/sessions/listedSession.ts"
import { KeptRows } from "../../../src/services/sessions/KeptRows.ts"
import { type KnownOfSession, sessionRow } from "../../../src/services/sessions/sessionRow.ts"
import { placeOf, sessionPage, sessionWindow } from "../../../src/services/sessions/sessionWindow.ts"

const KNOWN: KnownOfSession = {
  gatewayId: "primary",
  mainKey: "agent:main:main",
  isBusy: false,
  seenAt: 0,
  isWaiting: false,
  deniedAt: undefined,
  firstWords: undefined,
  mark: undefined
}
const row = (fields: Partial<ListedSession> = {}, known: Partial<KnownOfSession> = {}) =>
  sessionRow({ key: "agent:main:x", ...fields }, { ...KNOWN, ...known })

describe("the state of a session is the first that holds", () => {
  const failed = { status: "failed", startedAt: 10, endedAt: 20 }

  it("waiting, denied, working, error, unread, idle", () => {
    const running = { hasActiveRun: true, startedAt: 30 }
    const state = (fields: Partial<ListedSession>, known: Partial<KnownOfSession> = {}) => row(fields, known).state
    assert.strictEqual(state(running, { isWaiting: true, deniedAt: 31 }), "waiting")
    assert.strictEqual(state(running, { deniedAt: 31 }), "denied")
    assert.strictEqual(state({ ...failed, ...running }), "working")
    assert.strictEqual(state(failed), "error")
    assert.strictEqual(state({ status: "done", startedAt: 10, endedAt: 20 }), "unread")
    assert.strictEqual(state({}), "idle")
  })

  it("what was seen is no news any more, and what was denied before this turn neither", () => {
    assert.deepInclude(row(failed, { seenAt: 20 }), { state: "idle", failed: true, unread: false })
    assert.deepInclude(row(failed, { deniedAt: 15, seenAt: 20 }), { state: "idle", denied: true })
    assert.deepInclude(row(failed, { deniedAt: 5 }), { state: "error", denied: false })
  })

  it("an older gateway's claim counts only while something was heard or found of the run", () => {
    const claimed = { status: "running", startedAt: 10 }
    assert.isFalse(row(claimed).running)
    assert.isTrue(row(claimed, { isBusy: true }).running)
    assert.isFalse(row({ ...claimed, status: "done" }, { isBusy: true }).running)
    assert.isTrue(row({ ...claimed, hasActiveRun: true }).running)
  })
})

describe("a session's kind and names", () => {
  it("come from its key and its gateway's row", () => {
    const kindOf = (key: string, fields: Partial<ListedSession> = {}) => row({ key, ...fields }).kind
    assert.strictEqual(kindOf("agent:writer:main"), "main")
    assert.strictEqual(kindOf("agent:main:x"), "direct")
    assert.strictEqual(kindOf("agent:main:telegram:group:1"), "group")
    assert.strictEqual(kindOf("agent:main:y", { kind: "group" }), "group")
    assert.strictEqual(kindOf("agent:main:cron:job:run:1"), "cron")
    assert.strictEqual(kindOf("agent:main:subagent:1"), "subagent")
    assert.strictEqual(kindOf("global", { kind: "global" }), "other")
  })

  it("a name is a person's, a title is made of the first words, and noise is neither", () => {
    assert.deepInclude(row({ label: "Mine", derivedTitle: "Count tulips" }), { name: "Mine", title: "Count tulips" })
    assert.deepInclude(row({ derivedTitle: "0f8fad5b (2026-11-28)" }, { firstWords: "Hello" }), { title: "Hello" })
    assert.notProperty(row({ label: " " }), "name")
    assert.notProperty(row({ label: "Mine", derivedTitle: "Mine", displayName: "Mine" }), "title")
    assert.strictEqual(row({ key: "agent:main:task-1-1", label: "Paint (0f8fad5b-1)" }).name, "Paint")
    assert.strictEqual(row({}, { gatewayId: "b" }).key, "@b:agent:main:x")
    assert.strictEqual(row({ key: "agent:main:cron:j:run:1" }, { gatewayId: "b" }).parentKey, "@b:agent:main:cron:j")
  })

  it("a card's run has the card's name, with the number of a later attempt", () => {
    const nameOf = (key: string, label: string) => row({ key, label }).name
    assert.strictEqual(nameOf("agent:main:task-1-1", "Paint the shed (48b0e7a9-1)"), "Paint the shed")
    assert.strictEqual(nameOf("agent:main:task-1-3", "Paint the shed (48b0e7a9-3)"), "Paint the shed (3)")
    assert.strictEqual(nameOf("agent:main:talk", "Paint the shed (48b0e7a9-1)"), "Paint the shed (48b0e7a9-1)")
  })

  it("its parent is the session whose agent began it, not one that a person made it beside", () => {
    const main = "agent:main:main"
    const parentOf = (key: string, fields: Partial<ListedSession>) => row({ key, ...fields }).parentKey
    for (const classification of ["dashboard", "direct"])
      assert.isUndefined(parentOf("agent:main:dashboard:1", { parentSessionKey: main, spawnDepth: 0, classification }))
    assert.isUndefined(parentOf("agent:main:dashboard:3", { parentSessionKey: main, classification: "direct" }))
    const spawned = { spawnedBy: main, parentSessionKey: main, spawnDepth: 1 }
    assert.strictEqual(parentOf("agent:main:subagent:4", spawned), main)
    assert.strictEqual(parentOf("agent:main:odd", { parentSessionKey: main, spawnDepth: 2 }), main)
    assert.strictEqual(parentOf("agent:main:strange", { parentSessionKey: main, classification: "subagent" }), main)
  })

  it("its marks are those of its row where the gateway keeps them, otherwise those the console keeps", () => {
    const none = { pinned: false, archivedAt: null, group: null }
    const marksOf = (fields: Partial<ListedSession>, mark: KnownOfSession["mark"] = none) => {
      const { archived, group, pinned } = row(fields, { mark })
      return { archived, group, pinned }
    }
    assert.deepStrictEqual(marksOf({}), { archived: false, group: undefined, pinned: false })
    const work = { archived: false, group: "Work", pinned: true }
    assert.deepStrictEqual(marksOf({ pinned: true, archived: false, category: "Work" }), work)
    const home = { ...none, pinned: true, group: "Home" }
    assert.deepStrictEqual(marksOf({}, home), { ...work, group: "Home" })
    // They survive an update of a gateway that can keep them from then on.
    assert.deepStrictEqual(marksOf({ pinned: false, archived: false }, home), { ...work, group: "Home" })
    assert.isTrue(marksOf({ archived: true, category: null }).archived)
    assert.strictEqual(marksOf({ category: "Work" }, home).group, "Work")
    for (const startedAt of [undefined, 10, 50])
      assert.isTrue(marksOf({ ...(startedAt && { startedAt }) }, { ...none, archivedAt: 50 }).archived)
    assert.isFalse(marksOf({ startedAt: 51 }, { ...none, archivedAt: 50 }).archived)
  })

  it("what happened last is what somebody said, not that it was marked", () => {
    assert.strictEqual(row({ updatedAt: 90, lastInteractionAt: 15, lastActivityAt: 20 }).updatedAt, 20)
    assert.strictEqual(row({ updatedAt: 90, lastInteractionAt: 25 }).updatedAt, 25)
    assert.strictEqual(row({ updatedAt: 90 }).updatedAt, 90)
  })

  it("how full its context is isn't known while the gateway has only what was true before", () => {
    const full = { totalTokens: 185_000, contextTokens: 370_000 }
    assert.deepInclude(row(full), { tokens: 185_000, context: 370_000 })
    assert.deepInclude(row({ ...full, totalTokensFresh: true }), { tokens: 185_000 })
    for (const totalTokens of [433_428, 350_000, 0])
      assert.notProperty(row({ ...full, totalTokens, totalTokensFresh: false }), "tokens")
  })

  it("an archive is undone by a later turn where the console keeps it", () => {
    const mark = { pinned: true, archivedAt: 50, group: "Work" }
    assert.deepInclude(row({ startedAt: 40 }, { mark }), { archived: true, pinned: false, group: "Work" })
    assert.deepInclude(row({ startedAt: 60 }, { mark }), { archived: false, pinned: true })
  })
})

describe("a gateway's rows", () => {
  const listing = (rows: ReadonlyArray<ListedSession>, hasMore = false) => ({ ts: 0, readAt: 0, hasMore, rows })

  it("are those of the list, but for what an event has said since it was asked for", () => {
    const kept = new KeptRows()
    kept.take(listing([{ key: "a", label: "A" }, { key: "b" }]))
    kept.beginReading()
    kept.change({ key: "a", reason: "patch", phase: undefined, facts: { label: "New" } })
    kept.change({ key: "b", reason: "delete", phase: undefined, facts: {} })
    kept.change({ key: "c", reason: "create", phase: undefined, facts: {} })
    kept.take(listing([{ key: "a", label: "A", derivedTitle: "Words" }, { key: "b" }, { key: "d" }]))
    assert.sameMembers([...kept.all.keys()], ["a", "c", "d"])
    assert.deepInclude(kept.get("a"), { label: "New", derivedTitle: "Words" })
  })

  it("beyond the end of a list stay, and archived ones have a list of their own", () => {
    const kept = new KeptRows()
    kept.take(
      listing([
        { key: "old", updatedAt: 1 },
        { key: "gone", updatedAt: 9 }
      ])
    )
    kept.takeArchived(listing([{ key: "away", archived: true }]))
    kept.take(listing([{ key: "a", updatedAt: 5 }], true))
    assert.sameMembers([...kept.all.keys()], ["a", "old", "away"])
    kept.takeArchived(listing([]))
    assert.sameMembers([...kept.all.keys()], ["a", "old"])
  })

  it("a message's event, whose row is older, ends no run", () => {
    const kept = new KeptRows()
    kept.take(listing([{ key: "a", status: "running", updatedAt: 9 }]))
    kept.change({ key: "a", reason: undefined, phase: "message", facts: { status: "done", updatedAt: 8 } })
    assert.strictEqual(kept.get("a")?.status, "running")
    kept.change({ key: "a", reason: undefined, phase: "end", facts: { status: "done", updatedAt: 10 } })
    assert.strictEqual(kept.get("a")?.status, "done")
  })
})

describe("what is shown of many sessions", () => {
  const rows = Array.from({ length: 6 }, (_, at) => row({ key: `agent:main:s${at}`, updatedAt: at }))

  it("are the latest, and always main, pinned, not idle and looked at", () => {
    const main = row({ key: "agent:main:main" })
    const pinned = row({ key: "agent:main:p", pinned: true })
    const { isCut, items } = sessionWindow([...rows, main, pinned], 2, new Set(["agent:main:s0"]))
    assert.sameMembers(
      items.map(({ key }) => key),
      ["agent:main:s5", "agent:main:s4", "agent:main:s0", "agent:main:main", "agent:main:p"]
    )
    assert.isTrue(isCut)
  })

  it("a page goes on behind the last, also among those of the same time, and a damaged cursor is none", () => {
    const same = ["b", "a", "c"].map((key) => row({ key, updatedAt: 7 }))
    const first = sessionPage(same, 2, undefined)
    assert.deepStrictEqual(
      first.sessions.map(({ key }) => key),
      ["a", "b"]
    )
    const second = sessionPage(same, 2, placeOf(first.cursor ?? ""))
    assert.deepStrictEqual(
      second.sessions.map(({ key }) => key),
      ["c"]
    )
    assert.isUndefined(second.cursor)
    assert.isUndefined(placeOf("abc"))
  })
})

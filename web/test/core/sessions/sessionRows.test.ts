import { assert, describe, it } from "@effect/vitest"
import { marksOf, sessionRow } from "../../../src/core/sessions/sessionRows.ts"
import { figuresText } from "../../../src/sessions/sessionPresentation.ts"
import { NO_MARK } from "../../support/sessionRow.ts"

const KEY = "agent:main:a"
const row = (fields: Readonly<Record<string, unknown>>, deniedAt: number | null, seenAt = 0) =>
  sessionRow({ key: KEY, startedAt: 10, endedAt: 20, updatedAt: 20, status: "done", ...fields }, KEY, "", {
    seenAt,
    isRunBelieved: true,
    waiting: false,
    deniedAt,
    firstWords: null,
    mark: NO_MARK
  })

describe("a session whose agent wasn't allowed something", () => {
  it("is denied when its run has ended, and not failed, however the gateway calls it", () => {
    assert.strictEqual(row({}, 12).state, "denied")
    assert.strictEqual(row({ status: "failed" }, 12).state, "denied")
    assert.strictEqual(row({ status: "running", endedAt: null }, 12).state, "working")
  })

  it("is as its next run ends, and idle once it was seen", () => {
    assert.strictEqual(row({ startedAt: 15, status: "failed" }, 12).state, "error")
    assert.deepStrictEqual([row({}, 12, 20).state, row({}, 12, 20).denied], ["idle", true])
    assert.isFalse(row({}, null).denied)
  })
})

describe("the name of a card's run", () => {
  it("is the card's, with the number of a later attempt", () => {
    const titleOf = (key: string, label: string) =>
      sessionRow({ label }, key, "", {
        seenAt: 0,
        isRunBelieved: true,
        waiting: false,
        deniedAt: null,
        firstWords: null,
        mark: NO_MARK
      }).title
    assert.strictEqual(titleOf("agent:main:task-1-1", "Paint the shed (48b0e7a9-1)"), "Paint the shed")
    assert.strictEqual(titleOf("agent:main:task-1-3", "Paint the shed (48b0e7a9-3)"), "Paint the shed (3)")
    assert.strictEqual(titleOf("agent:main:talk", "Paint the shed (48b0e7a9-1)"), "Paint the shed (48b0e7a9-1)")
  })
})

describe("the marks of a session", () => {
  const none = { pinned: false, archived: false, group: null }

  it("are those of its row where the gateway keeps them, otherwise those the console keeps", () => {
    assert.deepStrictEqual(marksOf({}, NO_MARK), none)
    assert.deepStrictEqual(marksOf({ pinned: true, archived: false, category: "Work" }, NO_MARK), {
      ...none,
      pinned: true,
      group: "Work"
    })
    assert.deepStrictEqual(marksOf({}, { ...NO_MARK, pinned: true, group: "Home" }), {
      ...none,
      pinned: true,
      group: "Home"
    })
    assert.isTrue(marksOf({ archived: true, category: null }, NO_MARK).archived)
    assert.strictEqual(marksOf({ category: "Work" }, { ...NO_MARK, group: "Home" }).group, "Work")
  })

  it("survive an update of a gateway that can keep them from then on", () => {
    const kept = { ...NO_MARK, pinned: true, group: "Home" }
    assert.deepStrictEqual(marksOf({ pinned: false, archived: false }, kept), { ...none, pinned: true, group: "Home" })
  })

  it("archive until a run begins later", () => {
    const away = { ...NO_MARK, archivedAt: 50 }
    for (const startedAt of [undefined, 10, 50]) assert.isTrue(marksOf({ startedAt }, away).archived)
    assert.isFalse(marksOf({ startedAt: 51 }, away).archived)
  })

  it("are at once what this page makes of them", () => {
    const changing = (change: object) => ({ ...NO_MARK, changing: change })
    assert.isTrue(marksOf({ pinned: false }, changing({ pinned: true })).pinned)
    assert.isFalse(marksOf({ pinned: true }, changing({ pinned: false })).pinned)
    assert.deepStrictEqual(marksOf({ pinned: true }, changing({ archivedAt: 9 })), { ...none, archived: true })
    assert.deepStrictEqual(marksOf({ archived: true }, changing({ archivedAt: null })), none)
    assert.deepStrictEqual(marksOf({ archived: true }, changing({ pinned: true })), { ...none, pinned: true })
    assert.strictEqual(marksOf({ category: "Work" }, changing({ group: null })).group, null)
  })
})

describe("when something last happened in a session", () => {
  it("is when somebody said something, not when it was marked", () => {
    assert.strictEqual(row({ updatedAt: 90, lastInteractionAt: 15, lastActivityAt: 20 }, null).updatedAt, 20)
    assert.strictEqual(row({ updatedAt: 90, lastInteractionAt: 25 }, null).updatedAt, 25)
    assert.strictEqual(row({ updatedAt: 90 }, null).updatedAt, 90)
  })
})

describe("how full a session's context is", () => {
  it.each([
    [{ totalTokens: 433_428, contextTokens: 370_000, totalTokensFresh: false }, ""],
    [{ totalTokens: 350_000, contextTokens: 370_000, totalTokensFresh: false }, ""],
    [{ totalTokens: 0, contextTokens: 370_000, totalTokensFresh: false }, ""],
    [{ contextTokens: 370_000, totalTokensFresh: false }, ""],
    [{ totalTokens: 185_000, contextTokens: 370_000, totalTokensFresh: true }, "Context: 50%"],
    [{ totalTokens: 185_000, contextTokens: 370_000 }, "Context: 50%"]
  ])("is unknown while the gateway has only what was true before: %o", (fields, said) => {
    assert.strictEqual(figuresText(row(fields, null)), said)
  })
})

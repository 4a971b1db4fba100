import { assert, describe, it } from "@effect/vitest"
import {
  decodeHits,
  decodeShown,
  decodeTips,
  endsIn,
  hitOf,
  type Path,
  type Tip,
  versionsIn,
  wordsOf
} from "../../../src/services/conversations/history/versionRules.ts"

/** Messages by id, written at the time in the id: `q1` is older than `a2`. */
const path = (...ids: ReadonlyArray<string>): Path =>
  ids.map((id, index) => ({ id, at: Number(id.slice(1)), seq: index + 1 }))

/** The version that ends with this path. */
const tip = (all: Path, headline = ""): Tip => ({
  leaf: `leaf-${all.at(-1)?.id}`,
  headline,
  messages: all.length,
  at: all.at(-1)?.at ?? 0
})

const versions = (shown: Path, ...others: ReadonlyArray<Path>) =>
  versionsIn(
    shown,
    others.map((other) => tip(other)),
    new Map(others.map((other) => [tip(other).leaf, other]))
  )

const first = path("q1", "a2", "q3", "a4")
const edited = path("q1", "a2", "q5", "a6")

describe("the versions of a conversation", () => {
  it("begin at the question that was asked again, in the order in which they were asked", () => {
    assert.deepStrictEqual(versions(edited, first), [{ messageId: "q5", leaves: ["leaf-a4", null] }])
    assert.deepStrictEqual(versions(first, edited), [{ messageId: "q3", leaves: [null, "leaf-a6"] }])
    const third = path("q1", "a2", "q7", "a8")
    assert.deepStrictEqual(versions(edited, third, first), [{ messageId: "q5", leaves: ["leaf-a4", null, "leaf-a8"] }])
  })

  it("may begin at the first question, and at several", () => {
    const anew = path("q7", "a8")
    assert.deepStrictEqual(versions(anew, edited), [{ messageId: "q7", leaves: ["leaf-a6", null] }])
    assert.deepStrictEqual(versions(edited, first, anew), [
      { messageId: "q5", leaves: ["leaf-a4", null] },
      { messageId: "q1", leaves: [null, "leaf-a8"] }
    ])
  })

  it("count once what was itself continued in several ways, and lead to what was left last", () => {
    const anew = path("q7", "a8")
    assert.deepStrictEqual(versions(anew, edited, first), [{ messageId: "q7", leaves: ["leaf-a6", null] }])
    assert.deepStrictEqual(versions(anew, first, edited), [{ messageId: "q7", leaves: ["leaf-a6", null] }])
  })

  it("begin nowhere when that can't be determined: without their messages, or beyond the page that was read", () => {
    assert.deepStrictEqual(versionsIn(edited, [tip(first)], new Map()), [])
    assert.deepStrictEqual(versions(edited.slice(0, 2), first), [])
    assert.deepStrictEqual(versions(edited.slice(2), first.slice(2)), [])
    assert.deepStrictEqual(versions([], first), [])
  })
})

describe("what the gateway says of versions", () => {
  it("is read from its answers, whatever else they have", () => {
    const branches = [
      {
        leafEntryId: "on",
        headline: "on screen",
        messageCount: 2,
        updatedAt: "2026-11-23T04:43:59.643Z",
        active: true
      },
      { leafEntryId: "off", headline: "left", messageCount: 4, updatedAt: "1970-01-01T00:00:01.000Z", active: false },
      { leafEntryId: "odd", active: false, more: 1 },
      { headline: "no end" },
      7
    ]
    assert.deepStrictEqual(decodeTips({ branches }), [
      { leaf: "off", headline: "left", messages: 4, at: 1_000 },
      { leaf: "odd", headline: "", messages: 0, at: 0 }
    ])
    for (const odd of [null, "x", {}, { branches: 1 }]) assert.deepStrictEqual(decodeTips(odd), [])
    const results = [{ messageId: "m", sessionId: "s", timestamp: 5 }, { messageId: "m" }]
    assert.deepStrictEqual(decodeHits({ results }), [{ messageId: "m", sessionId: "s", at: 5 }])
    const messages = [
      { role: "system", timestamp: 3, __openclaw: { kind: "reset", id: "r", seq: 1 } },
      { role: "user", timestamp: 4, __openclaw: { id: "q", seq: 2 } },
      { role: "user" }
    ]
    assert.deepStrictEqual(decodeShown({ messages, sessionInfo: { previousSessionId: "before" } }), {
      steps: [
        { id: "r", at: 3, seq: 1 },
        { id: "q", at: 4, seq: 2 }
      ],
      previousSessionId: "before",
      clearedAt: 3
    })
  })

  it("leads to a version's messages by its last words", () => {
    const said = (headline: string) => wordsOf(tip(first, headline))
    assert.strictEqual(said("Well, “that” is it 👍"), "Well that is it")
    assert.strictEqual(said("one two three four five six seven eight nine"), "one two three four five six seven eight")
    assert.strictEqual(said("one two thr…"), "one two")
    assert.strictEqual(said("👍"), null)
    assert.strictEqual(said(""), null)
    const hit = (at: number) => ({ messageId: `m${at}`, sessionId: "s", at })
    assert.strictEqual(hitOf(tip(first), [hit(2), hit(4), hit(3), hit(6)])?.messageId, "m4")
    assert.strictEqual(hitOf(tip(first), [hit(6)]), null)
    assert.isTrue(endsIn(tip(first), first.slice(1)))
    assert.isFalse(endsIn(tip(first), first.slice(0, 3)))
    assert.isFalse(endsIn(tip(first), []))
  })
})

import { assert, describe, it } from "@effect/vitest"
import type { ChatItem } from "../../../src/core/conversation/chatTypes.ts"
import {
  forgetRemoved,
  keepRemoved,
  removedParts,
  restoreRemoved
} from "../../../src/core/conversation/removedParts.ts"
import type { KeyValueStorage } from "../../../src/core/link/Environment.ts"

const said = (text: string): ReadonlyArray<ChatItem> => [
  { kind: "user", key: text, at: null, text, images: [], delivery: "sent", error: null }
]

/** A browser's storage with room for this many characters. */
const storage = (room = Number.POSITIVE_INFINITY): KeyValueStorage => {
  const values = new Map<string, string>()
  return {
    getItem: (key) => values.get(key) ?? null,
    removeItem: (key) => void values.delete(key),
    setItem: (key, value) => {
      if (value.length > room) throw new Error("QuotaExceededError")
      values.set(key, value)
    }
  }
}

const begins = (kept: KeyValueStorage) => removedParts(kept, "s").map(({ text }) => /\n([a-z]+)\d*\n/.exec(text)?.[1])

describe("what was removed from a conversation", () => {
  it("is kept as markdown, newest first, each session by itself", () => {
    const kept = storage()
    assert.isTrue(keepRemoved(kept, "s", 1, said("older")))
    assert.isTrue(keepRemoved(kept, "other", 2, said("elsewhere")))
    assert.isTrue(keepRemoved(kept, "s", 3, said("newer")))
    assert.isTrue(keepRemoved(kept, "s", 4, []))
    assert.deepStrictEqual(begins(kept), ["newer", "older"])
    assert.deepStrictEqual(removedParts(kept, "s")[0]?.messages, 1)
  })

  it("takes no more room than it has: a long part is cut, and the oldest ones leave", () => {
    const kept = storage()
    for (const at of [1, 2, 3, 4, 5]) keepRemoved(kept, "s", at, said("x".repeat(300_000)))
    const parts = removedParts(kept, "s")
    assert.deepStrictEqual(
      parts.map(({ at }) => at),
      [5, 4]
    )
    for (const { text } of parts) assert.include(text, "The rest was too long to keep.")
  })

  it("pushes the oldest out of a full browser, and says if nothing fits", () => {
    const small = storage(250)
    for (const text of ["one", "two", "three", "four"]) assert.isTrue(keepRemoved(small, "s", 1, said(text)))
    assert.strictEqual(begins(small)[0], "four")
    assert.isBelow(begins(small).length, 4)
    assert.isFalse(keepRemoved(storage(10), "s", 1, said("one")))
  })

  it("is deleted for good, or put back where it was", () => {
    const kept = storage()
    for (const [at, text] of ["one", "two", "three"].entries()) keepRemoved(kept, "s", at, said(text))
    const two = removedParts(kept, "s")[1]
    if (two === undefined) throw new Error("there is no second part")
    forgetRemoved(kept, two)
    assert.deepStrictEqual(begins(kept), ["three", "one"])
    assert.isTrue(restoreRemoved(kept, two))
    assert.isTrue(restoreRemoved(kept, two))
    assert.deepStrictEqual(begins(kept), ["three", "two", "one"])
  })

  it("ignores what it can't read", () => {
    const kept = storage()
    kept.setItem("agent-console:removed", '[{"text":"no session"},7,{"sessionKey":"s","text":"fine"}]')
    assert.deepStrictEqual(removedParts(kept, "s"), [{ sessionKey: "s", text: "fine", at: 0, messages: 0 }])
  })
})

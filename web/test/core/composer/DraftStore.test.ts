import { assert, describe, it } from "@effect/vitest"
import { createDrafts } from "../../../src/core/composer/DraftStore.ts"
import { memoryStorage } from "../../../src/core/link/browserEnvironment.ts"

/** A storage that takes nothing any more. */
const full = {
  ...memoryStorage(),
  setItem: () => {
    throw new Error("full")
  }
}

describe("drafts", () => {
  it("survive a reload, one per session, and go when they are sent", () => {
    const storage = memoryStorage()
    const drafts = createDrafts(storage)
    drafts.set("a", "for a")
    drafts.set("b", "for b")
    drafts.set("b", "")
    const reloaded = createDrafts(storage)
    assert.deepStrictEqual([reloaded.get("a"), reloaded.get("b")], ["for a", ""])
  })

  it("are bounded in number and size, the newest stay, and a full storage loses nothing in the page", () => {
    const storage = memoryStorage()
    const drafts = createDrafts(storage)
    for (let index = 0; index < 60; index++) drafts.set(`s${index}`, "x")
    assert.deepStrictEqual([createDrafts(storage).get("s9"), createDrafts(storage).get("s10")], ["", "x"])
    drafts.set("big", "y".repeat(400_000))
    drafts.set("bigger", "z".repeat(400_000))
    assert.deepStrictEqual(
      [createDrafts(storage).get("big").length, createDrafts(storage).get("bigger").length],
      [0, 400_000]
    )
    const unsaved = createDrafts(full)
    unsaved.set("a", "kept")
    assert.strictEqual(unsaved.get("a"), "kept")
  })

  it("don't go because another one is too large to be kept", () => {
    const storage = memoryStorage()
    const drafts = createDrafts(storage)
    drafts.set("side", "kept words")
    drafts.set("main", "x".repeat(500_001))
    const reloaded = createDrafts(storage)
    assert.deepStrictEqual([reloaded.get("side"), reloaded.knows("side")], ["kept words", true])
    assert.deepStrictEqual([reloaded.get("main"), reloaded.knows("main")], ["", false])
    assert.strictEqual(drafts.get("main").length, 500_001)
  })

  it("distinguish an emptied draft from one that never existed or had no room", () => {
    const storage = memoryStorage()
    const drafts = createDrafts(storage)
    drafts.set("emptied", "words")
    drafts.set("emptied", "")
    drafts.set("untouched", "")
    for (let index = 0; index < 50; index++) drafts.set(`s${index}`, "x")
    drafts.set("last", "x")
    const reloaded = createDrafts(storage)
    assert.deepStrictEqual(
      ["emptied", "untouched", "s0", "s1"].map((key) => reloaded.knows(key)),
      [true, false, false, true]
    )
    for (let index = 0; index < 300; index++) {
      drafts.set(`e${index}`, "x")
      drafts.set(`e${index}`, "")
    }
    const later = createDrafts(storage)
    assert.deepStrictEqual([later.knows("emptied"), later.knows("e299"), later.get("s1")], [false, true, "x"])
  })

  it.each(["", "{", "5", '[["a"],[1,2],null]'])("a damaged storage (%s) is an empty one", (text) => {
    const storage = memoryStorage()
    storage.setItem("agent-console:drafts", text)
    assert.strictEqual(createDrafts(storage).get("a"), "")
  })
})

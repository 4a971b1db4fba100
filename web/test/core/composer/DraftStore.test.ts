import { assert, describe, it } from "@effect/vitest"
import { memoryStorage } from "../../../src/core/common/memoryStorage.ts"
import { createDrafts } from "../../../src/core/composer/DraftStore.ts"

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

  it.each(["", "{", "5", '[["a"],[1,2],null]'])("a damaged storage (%s) is an empty one", (text) => {
    const storage = memoryStorage()
    storage.setItem("agent-console:drafts", text)
    assert.strictEqual(createDrafts(storage).get("a"), "")
  })
})

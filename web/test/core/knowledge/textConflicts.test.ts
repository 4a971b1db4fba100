import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { createTextDocument, type TextDocument } from "../../../src/core/knowledge/TextDocument.ts"
import { createTextDrafts, type TextDrafts } from "../../../src/core/knowledge/TextDrafts.ts"
import { memoryStorage } from "../../../src/core/link/browserEnvironment.ts"
import { FakeText } from "./support/FakeText.ts"

let drafts: TextDrafts
const storage = memoryStorage
beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  drafts = createTextDrafts(storage())
})
afterEach(() => vi.useRealTimers())

const opened = async (stored: FakeText, kept = drafts) => {
  const document = createTextDocument(stored.source, kept, () => Date.now())
  await document.load()
  return document
}
const type = (document: TextDocument, text: string) => {
  document.edit(() => text)
  document.keep()
}

describe("a text that others change while it is edited", () => {
  it("never overwrites what was typed: both texts are kept and a person chooses", async () => {
    const stored = new FakeText("one")
    const document = await opened(stored)
    type(document, "mine")
    stored.save("theirs")
    document.changedOutside(null)
    await vi.advanceTimersByTimeAsync(2_100)
    assert.deepStrictEqual([document.text(), document.state.get().conflict], ["mine", { theirs: "theirs" }])
    assert.isFalse(document.state.get().asking, "a change from outside interrupts nobody")
    assert.isFalse(await document.save())
    assert.isTrue(document.state.get().asking)
    assert.strictEqual(stored.text, "theirs")
    assert.isTrue(await document.resolve("mine"))
    assert.deepStrictEqual([stored.text, document.state.get().conflict], ["mine", null])
  })

  it("takes theirs, or a text made of both", async () => {
    const stored = new FakeText("one")
    const document = await opened(stored)
    type(document, "mine")
    stored.save("theirs")
    await document.save()
    assert.isTrue(await document.resolve("theirs"))
    assert.deepStrictEqual([document.text(), stored.text, document.state.get().dirty], ["theirs", "theirs", false])
    type(document, "mine again")
    stored.save("theirs again")
    await document.save()
    assert.isTrue(await document.resolve({ merged: "both" }))
    assert.deepStrictEqual([document.text(), stored.text, document.state.get().dirty], ["both", "both", false])
  })

  it("asks again when it changed once more while the person chose", async () => {
    const stored = new FakeText("one")
    const document = await opened(stored)
    type(document, "mine")
    stored.save("theirs")
    await document.save()
    stored.save("theirs, later")
    assert.isFalse(await document.resolve("mine"))
    assert.deepStrictEqual(
      [document.state.get().conflict, document.state.get().asking, document.text()],
      [{ theirs: "theirs, later" }, true, "mine"]
    )
  })

  it("knows what both texts began as, also after a reload", async () => {
    const kept = storage()
    const stored = new FakeText("one")
    type(await opened(stored, createTextDrafts(kept)), "mine")
    stored.save("theirs")
    const document = await opened(stored, createTextDrafts(kept))
    assert.deepStrictEqual(document.sides(), { base: "one", mine: "mine", theirs: { text: "theirs", version: "2" } })
  })

  it("saves nothing over what others stored after it was shown, and asks about that", async () => {
    const stored = new FakeText("one")
    const document = await opened(stored)
    type(document, "mine")
    stored.save("theirs")
    await document.save()
    const seen = document.sides().theirs
    stored.save("theirs, later")
    document.changedOutside(null)
    await vi.advanceTimersByTimeAsync(2_100)
    assert.isFalse(await document.resolve({ merged: "both" }, seen))
    assert.strictEqual(stored.text, "theirs, later")
    assert.deepStrictEqual(document.sides(), {
      base: "theirs",
      mine: "both",
      theirs: { text: "theirs, later", version: "3" }
    })
    assert.deepStrictEqual([document.state.get().asking, document.state.get().dirty], [true, true])
    assert.isTrue(await document.resolve({ merged: "all" }, document.sides().theirs))
    assert.strictEqual(stored.text, "all")
  })

  it.each(["discarding", "taking theirs"])("meets what others stored again when %s is taken back", async (how) => {
    const stored = new FakeText("one")
    const document = await opened(stored)
    type(document, "mine")
    stored.save("theirs")
    await document.load()
    const back = document.remember()
    if (how === "discarding") document.discard()
    else await document.resolve("theirs")
    assert.strictEqual(document.text(), "theirs")
    back()
    assert.deepStrictEqual(document.sides(), { base: "one", mine: "mine", theirs: { text: "theirs", version: "2" } })
    assert.isFalse(await document.save())
    assert.deepStrictEqual([stored.text, document.state.get().asking], ["theirs", true])
  })

  it("takes discarding back where nobody else wrote, and where it was deleted", async () => {
    const stored = new FakeText("one")
    const document = await opened(stored)
    type(document, "mine")
    const back = document.remember()
    document.discard()
    back()
    assert.deepStrictEqual(
      [document.text(), document.state.get().dirty, document.state.get().conflict],
      ["mine", true, null]
    )
    assert.isTrue(await document.save())
    type(document, "more")
    stored.save(null)
    await document.load()
    const again = document.remember()
    await document.resolve("theirs")
    assert.strictEqual(document.state.get().status, "missing")
    again()
    assert.deepStrictEqual([document.text(), document.state.get().conflict], ["more", { theirs: null }])
  })
})

describe("what an unsaved text is based on, over a reload", () => {
  const reload = async (stored: FakeText, kept: ReturnType<typeof storage>) => opened(stored, createTextDrafts(kept))

  it("fits without what it is based on where there is no room for both", async () => {
    const kept = storage()
    const tight = {
      ...kept,
      setItem: (key: string, value: string) => {
        if (value.length > 60) throw new Error("full")
        kept.setItem(key, value)
      }
    }
    const stored = new FakeText("long ".repeat(20))
    type(await opened(stored, createTextDrafts(tight)), "mine")
    stored.save("theirs")
    const document = await reload(stored, kept)
    assert.deepStrictEqual(document.sides(), { base: null, mine: "mine", theirs: { text: "theirs", version: "2" } })
  })

  it("is still made from a text that only got another time", async () => {
    const kept = storage()
    const stored = new FakeText("one")
    type(await opened(stored, createTextDrafts(kept)), "mine")
    stored.save("one")
    const document = await reload(stored, kept)
    assert.deepStrictEqual([document.text(), document.state.get().conflict], ["mine", null])
  })
})

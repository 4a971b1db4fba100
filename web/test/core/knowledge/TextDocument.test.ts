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

describe("an edited text", () => {
  it("is read, typed in, saved, and clean again", async () => {
    const stored = new FakeText("one")
    const document = await opened(stored)
    assert.deepStrictEqual([document.text(), document.state.get().status], ["one", "ready"])
    document.edit(() => "one two")
    assert.isTrue(document.state.get().dirty)
    assert.isTrue(await document.save())
    assert.deepStrictEqual([stored.text, document.state.get().dirty], ["one two", false])
    type(document, "one two three")
    type(document, "one two")
    assert.isFalse(document.state.get().dirty, "typing back to what is stored leaves nothing unsaved")
  })

  it("follows changes from outside while nothing is unsaved", async () => {
    const stored = new FakeText("one")
    const document = await opened(stored)
    stored.save("two")
    document.changedOutside(String(stored.version))
    await vi.advanceTimersByTimeAsync(2_100)
    assert.deepStrictEqual([document.text(), document.state.get().dirty], ["two", false])
  })

  it("saves without asking when only the time of the file changed, or others wrote the same", async () => {
    const stored = new FakeText("one")
    const document = await opened(stored)
    type(document, "mine")
    stored.save("one")
    assert.isTrue(await document.save())
    assert.strictEqual(stored.text, "mine")
    type(document, "the same")
    stored.save("the same")
    document.changedOutside(null)
    await vi.advanceTimersByTimeAsync(2_100)
    assert.deepStrictEqual([document.state.get().dirty, document.state.get().conflict], [false, null])
  })

  it("keeps the text when it is removed, and puts it back on request", async () => {
    const stored = new FakeText("one")
    const document = await opened(stored)
    type(document, "mine")
    stored.save(null)
    document.changedOutside("0")
    await vi.advanceTimersByTimeAsync(2_100)
    assert.deepStrictEqual(document.state.get().conflict, { theirs: null })
    assert.isTrue(await document.resolve("mine"))
    assert.strictEqual(stored.text, "mine")
    stored.save(null)
    await document.load()
    assert.strictEqual(document.state.get().status, "missing")
  })

  it("keeps the text when a save fails, and says why", async () => {
    const stored = new FakeText("one")
    const document = await opened(stored)
    type(document, "mine")
    stored.failing = "offline"
    assert.isFalse(await document.save())
    assert.deepStrictEqual(
      [document.text(), document.state.get().dirty, document.state.get().message],
      ["mine", true, "said offline"]
    )
    stored.failing = null
    assert.isTrue(await document.save())
    assert.strictEqual(document.state.get().message, null)
  })

  it("what is typed while a save runs stays unsaved", async () => {
    const stored = new FakeText("one")
    const document = await opened(stored)
    type(document, "first")
    let go = () => {}
    stored.before = () =>
      new Promise((resolve) => {
        go = resolve
      })
    const saving = document.save()
    document.edit(() => "first and second")
    go()
    assert.isTrue(await saving)
    assert.deepStrictEqual(
      [stored.text, document.text(), document.state.get().dirty],
      ["first", "first and second", true]
    )
  })

  it("a look that began before a save does not bring the old text back", async () => {
    const stored = new FakeText("old")
    const document = await opened(stored)
    const waiting: Array<() => void> = []
    stored.before = () => new Promise((resolve) => waiting.push(resolve))
    const looking = document.load()
    type(document, "new")
    const saving = document.save()
    waiting[1]?.()
    await saving
    waiting[0]?.()
    await looking
    assert.deepStrictEqual([document.text(), document.state.get().dirty, stored.text], ["new", false, "new"])
  })

  it("looks at a file that changes all the time at most every two seconds, and again after a limit", async () => {
    const stored = new FakeText("0")
    const document = await opened(stored)
    for (let step = 1; step <= 100; step++) {
      stored.save(String(step))
      document.changedOutside(String(stored.version))
      await vi.advanceTimersByTimeAsync(100)
    }
    assert.isAtMost(stored.reads, 7)
    await vi.advanceTimersByTimeAsync(2_100)
    assert.strictEqual(document.text(), "100")
    stored.failing = "rate_limited"
    stored.save("limited")
    document.changedOutside(null)
    await vi.advanceTimersByTimeAsync(2_100)
    stored.failing = null
    await vi.advanceTimersByTimeAsync(5_100)
    assert.strictEqual(document.text(), "limited")
  })
})

describe("unsaved text over a reload", () => {
  const reload = async (stored: FakeText, kept: ReturnType<typeof storage>) => opened(stored, createTextDrafts(kept))

  it("comes back, and is still made from what is stored", async () => {
    const kept = storage()
    const stored = new FakeText("one")
    type(await opened(stored, createTextDrafts(kept)), "mine")
    const document = await reload(stored, kept)
    assert.deepStrictEqual(
      [document.text(), document.state.get().dirty, document.state.get().conflict],
      ["mine", true, null]
    )
    assert.isTrue(await document.save())
    assert.strictEqual((await reload(stored, kept)).text(), "mine")
    assert.deepStrictEqual(createTextDrafts(kept).state.get(), [])
  })

  it("meets what others stored meanwhile as a conflict, through any number of reloads", async () => {
    const kept = storage()
    const stored = new FakeText("one")
    type(await opened(stored, createTextDrafts(kept)), "mine")
    stored.save("theirs")
    type(await reload(stored, kept), "mine, more")
    const document = await reload(stored, kept)
    await document.load()
    assert.deepStrictEqual([document.text(), document.state.get().conflict], ["mine, more", { theirs: "theirs" }])
    document.discard()
    assert.deepStrictEqual([document.text(), document.state.get().dirty], ["theirs", false])
    assert.strictEqual((await reload(stored, kept)).text(), "theirs")
  })

  it("comes back for what is gone or was never stored", async () => {
    const kept = storage()
    const stored = new FakeText(null)
    const begun = await opened(stored, createTextDrafts(kept))
    assert.strictEqual(begun.state.get().status, "missing")
    begun.begin()
    type(begun, "a beginning")
    const document = await reload(stored, kept)
    assert.deepStrictEqual([document.text(), document.state.get().conflict], ["a beginning", null])
    assert.isTrue(await document.save())
    type(document, "a change")
    stored.save(null)
    const gone = await reload(stored, kept)
    assert.deepStrictEqual([gone.text(), gone.state.get().conflict], ["a change", { theirs: null }])
    gone.discard()
    assert.strictEqual(gone.state.get().status, "missing")
  })

  it("a browser without room keeps it in the page, and no older copy comes back", async () => {
    const kept = storage()
    let isFull = false
    const tight = {
      ...kept,
      setItem: (key: string, value: string) => {
        if (isFull) throw new Error("full")
        kept.setItem(key, value)
      }
    }
    const stored = new FakeText("one")
    const document = await opened(stored, createTextDrafts(tight))
    type(document, "early")
    isFull = true
    type(document, "late")
    assert.strictEqual(document.text(), "late")
    assert.strictEqual((await reload(stored, kept)).text(), "one")
  })

  it("is never thrown away by what happens before it could be shown", async () => {
    const kept = storage()
    const stored = new FakeText("one")
    type(await opened(stored, createTextDrafts(kept)), "mine")
    stored.failing = "offline"
    const document = await reload(stored, kept)
    assert.deepStrictEqual([document.state.get().status, document.state.get().dirty], ["failed", true])
    document.keep()
    assert.isFalse(await document.save())
    document.relocate({ ...stored.source, key: "file:b.md" })
    assert.deepStrictEqual(createTextDrafts(kept).state.get(), ["file:b.md"])
    stored.failing = null
    await document.load()
    assert.deepStrictEqual([document.text(), document.state.get().conflict, stored.text], ["mine", null, "one"])
  })

  it("that is the same as what is stored by now leaves nothing unsaved", async () => {
    const kept = storage()
    const stored = new FakeText("one")
    type(await opened(stored, createTextDrafts(kept)), "mine")
    stored.save("mine")
    const document = await reload(stored, kept)
    assert.deepStrictEqual([document.text(), document.state.get().dirty], ["mine", false])
    assert.deepStrictEqual(createTextDrafts(kept).state.get(), [])
  })

  it("goes along when the file gets another name", async () => {
    const kept = storage()
    const stored = new FakeText("one")
    const document = await opened(stored, createTextDrafts(kept))
    type(document, "mine")
    document.relocate({ ...stored.source, key: "file:b.md" })
    assert.deepStrictEqual(createTextDrafts(kept).state.get(), ["file:b.md"])
  })

  it.each(["", "{", "[1,null]", '["a"]'])("a damaged index (%s) is an empty one", (text) => {
    const kept = storage()
    kept.setItem("agent-console:unsaved", text)
    kept.setItem("agent-console:unsaved:a", "{")
    assert.deepStrictEqual(createTextDrafts(kept).state.get(), [])
  })
})

describe("what cannot be edited", () => {
  it("says so, and is read again when it changes", async () => {
    const stored = new FakeText("one")
    stored.failing = "too_large"
    const document = await opened(stored)
    assert.deepStrictEqual(
      [document.state.get().status, document.state.get().message],
      ["unreadable", "said too_large"]
    )
    stored.failing = "offline"
    const other = await opened(stored)
    assert.strictEqual(other.state.get().status, "failed")
    stored.failing = null
    await document.load()
    await other.load()
    assert.deepStrictEqual([document.text(), other.text()], ["one", "one"])
  })
})

describe("unsaved texts of two tabs", () => {
  it("survive both, whichever keeps something last", () => {
    const storage = memoryStorage()
    const draft = (text: string) => ({ text, version: "1", base: null })
    const [one, two] = [createTextDrafts(storage), createTextDrafts(storage)]
    one.set("SOUL.md", draft("of one"))
    two.set("USER.md", draft("of two"))
    one.set("TOOLS.md", draft("more of one"))
    const later = createTextDrafts(storage)
    assert.deepStrictEqual(later.state.get().toSorted(), ["SOUL.md", "TOOLS.md", "USER.md"])
    assert.strictEqual(later.get("SOUL.md")?.text, "of one")
    two.remove("USER.md")
    one.remove("SOUL.md")
    assert.deepStrictEqual(createTextDrafts(storage).state.get(), ["TOOLS.md"])
  })
})

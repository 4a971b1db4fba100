import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import {
  addMemoryItem,
  deleteMemoryItem,
  deleteMemorySection,
  memoryOutline,
  readMemorySection,
  replaceMemorySection
} from "../../../../src/contract/memory/memoryMarkdown.ts"

const FOLDER = new URL("../../../support/memories/", import.meta.url)

const titlesOf = (text: string) =>
  memoryOutline(text).flatMap((entry) => (entry.type === "section" ? [entry.text] : []))
const itemsOf = (text: string) => memoryOutline(text).flatMap((entry) => (entry.type === "item" ? [entry.text] : []))

/** Bytes at the beginning and at the end that two files share, never counted twice. */
const shared = (a: Buffer, b: Buffer) => {
  const most = Math.min(a.length, b.length)
  let head = 0
  while (head < most && a[head] === b[head]) head++
  let tail = 0
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  return head + tail
}

const assertOnlyInserted = (before: string, after: string, what: string) =>
  assert.strictEqual(shared(Buffer.from(before), Buffer.from(after)), Buffer.byteLength(before), what)

describe.each(readdirSync(FOLDER))("memory edits of %s leave every other byte alone", (name) => {
  const text = readFileSync(new URL(name, FOLDER), "utf8")

  it("has sections and bullets to edit", () => {
    assert.isNotEmpty(titlesOf(text))
    assert.isNotEmpty(itemsOf(text))
  })

  it("adding a bullet to any section, or to a new one", () => {
    for (const title of [...titlesOf(text), "A section of its own"]) {
      const after = addMemoryItem(text, title, "a new fact") ?? ""
      assertOnlyInserted(text, after, title)
      assert.sameMembers(itemsOf(after), [...itemsOf(text), "a new fact"])
      assert.include(readMemorySection(after, title), "a new fact")
    }
  })

  it("removing any section", () => {
    for (const title of titlesOf(text)) assertOnlyInserted(deleteMemorySection(text, title) ?? "", text, title)
  })

  it("removing any bullet, and the others stay", () => {
    for (const item of itemsOf(text)) {
      const { file, deleted } = deleteMemoryItem(text, item)
      assert.strictEqual(deleted, 1)
      assertOnlyInserted(file, text, item)
      assert.includeMembers(itemsOf(text), itemsOf(file))
    }
  })

  it("replacing any section and putting it back gives the same file", () => {
    for (const title of titlesOf(text)) {
      const content = readMemorySection(text, title) ?? ""
      const lineBreak = text.includes("\r\n") ? "\r\n" : "\n"
      const replaced = replaceMemorySection(text, title, "- replaced") ?? ""
      assert.strictEqual(readMemorySection(replaced, title), "- replaced", title)
      const untouched = Buffer.byteLength(text) - Buffer.byteLength(content)
      assert.isAtLeast(shared(Buffer.from(text), Buffer.from(replaced)), untouched, title)
      if (content === "") continue
      const again = replaceMemorySection(replaced, title, content.replaceAll(lineBreak, "\n")) ?? ""
      assert.strictEqual(Buffer.from(again).toString("hex"), Buffer.from(text).toString("hex"), title)
    }
  })
})

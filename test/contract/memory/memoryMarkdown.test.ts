import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { markdownLines } from "../../../src/contract/memory/markdownLines.ts"
import {
  addMemoryItem,
  deleteMemoryItem,
  deleteMemorySection,
  memoryOutline,
  oneLine,
  readMemorySection,
  replaceMemorySection
} from "../../../src/contract/memory/memoryMarkdown.ts"

const Row = Schema.Literals([
  "# Memory",
  "## General",
  "## Projects",
  "### Details",
  "- likes tea",
  "* uses *stars*",
  "  - nested",
  "  more of it",
  "lazy line",
  "",
  "   ",
  "```",
  "# not a heading",
  "~~~md",
  "Title",
  "=====",
  "---",
  "> quoted",
  "1. first",
  "\t- tabbed",
  "emoji 🫖 and ünïcode",
  "trailing spaces  "
])

const FileParts = Schema.Struct({
  mark: Schema.Boolean,
  rows: Schema.Array(Schema.Struct({ line: Row, lineBreak: Schema.Literals(["\n", "\r\n"]) })),
  ends: Schema.Boolean
})

const Title = Schema.Literals(["General", "Projects", "Details", "Title", "Missing"])

const fileOf = ({ mark, rows, ends }: typeof FileParts.Type) => {
  const text = rows.map(({ line, lineBreak }) => line + lineBreak).join("")
  return (mark ? "\uFEFF" : "") + (ends ? text : text.replace(/\r?\n$/, ""))
}

const hasCode = (text: string) => /^\uFEFF? {0,3}(```|~~~)/m.test(text)

/** The file must be `before` with one run of characters put in or taken out. */
const isOneInsertion = (before: string, after: string) => {
  let head = 0
  while (head < before.length && before[head] === after[head]) head++
  let tail = 0
  while (tail < before.length - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  return head + tail === before.length
}

describe("memory markdown keeps every byte outside an edit", () => {
  it.prop("lines join to the file again", [FileParts], ([parts]) => {
    const text = fileOf(parts)
    const joined = markdownLines(text).map((line) => text.slice(line.start, line.end))
    assert.strictEqual(joined.join(""), text)
  })

  it.prop("adding a bullet only inserts, once", [FileParts, Title, Schema.String], ([parts, section, extra]) => {
    const text = fileOf(parts)
    const item = oneLine(`fact ${extra}`)
    const after = addMemoryItem(text, section, item)
    assert.isDefined(after)
    assert.isTrue(isOneInsertion(text, after ?? ""), JSON.stringify([text, after]))
    if (hasCode(text)) return
    assert.isTrue(memoryOutline(after ?? "").some((entry) => entry.type === "item" && entry.text === item))
    assert.isUndefined(addMemoryItem(after ?? "", section, item))
  })

  it.prop("deleting only removes", [FileParts, Title], ([parts, section]) => {
    const text = fileOf(parts)
    const after = deleteMemorySection(text, section)
    if (after !== undefined) assert.isTrue(isOneInsertion(after, text))
    const removed = deleteMemoryItem(text, "likes tea")
    if (removed.deleted === 1) assert.isTrue(isOneInsertion(removed.file, text))
    if (removed.deleted === 0) assert.strictEqual(removed.file, text)
  })

  it.prop("what is read can be put back", [FileParts, Title], ([parts, section]) => {
    const text = fileOf(parts).replaceAll("\r\n", "\n")
    const content = readMemorySection(text, section)
    if (content === undefined || content.trim() === "") return
    const again = replaceMemorySection(text, section, content) ?? ""
    assert.strictEqual(readMemorySection(again, section), content.trimEnd())
  })
})

describe("memory markdown", () => {
  it("keeps the deleted bullet's own line break where one has to stay", () => {
    const { file } = deleteMemoryItem("Title\r\n- likes tea\n1. first", "likes tea")
    assert.strictEqual(file, "Title\r\n\n1. first")
  })

  it("lists sections and bullets, but not the file's title or code", () => {
    const text = "# Memory\n\n## General\n- likes tea\n  every day\n\n```\n# no\n- no\n```\n\nPlans\n-----\n* travel\n"
    assert.deepStrictEqual(memoryOutline(text), [
      { type: "section", text: "General" },
      { type: "item", text: "likes tea every day" },
      { type: "section", text: "Plans" },
      { type: "item", text: "travel" }
    ])
  })

  it("adds in the style of the bullet before, with the file's line breaks", () => {
    assert.strictEqual(
      addMemoryItem("## A\r\n* one\r\n\r\n## B\r\n", "A", "two"),
      "## A\r\n* one\r\n* two\r\n\r\n## B\r\n"
    )
    assert.strictEqual(addMemoryItem("## A\n- one", "A", "two"), "## A\n- one\n- two")
    assert.strictEqual(addMemoryItem("## A\n\n### Sub\n- x\n", "A", "two"), "## A\n- two\n\n### Sub\n- x\n")
    assert.strictEqual(addMemoryItem("", "A", "two"), "## A\n\n- two\n")
    assert.strictEqual(addMemoryItem("text", "A", "two"), "text\n\n## A\n\n- two")
  })

  it("a text can never add a heading", () => {
    assert.strictEqual(addMemoryItem("## A\n", "A", "x\n## B\r\n- y\u2028z"), "## A\n- x ## B - y z\n")
  })

  it("an existing bullet is left alone", () => {
    assert.isUndefined(addMemoryItem("## A\n- one\n", "A", "one"))
    assert.isDefined(addMemoryItem("## A\n- one\n## B\n", "B", "one"))
  })

  it("replaces with subsections and keeps the blank lines around", () => {
    assert.strictEqual(
      replaceMemorySection("## A\n\nold\n### S\nx\n\n\n## B\n- b\n", "A", "\n- new\n- two\n"),
      "## A\n\n- new\n- two\n\n\n## B\n- b\n"
    )
    assert.strictEqual(replaceMemorySection("## A\n\n## B\n", "A", "new"), "## A\nnew\n\n## B\n")
    assert.strictEqual(replaceMemorySection("## A\nold\n## B\n", "A", ""), "## A\n## B\n")
    assert.isUndefined(replaceMemorySection("## A\n", "a", "new"))
  })

  it("deletes a bullet with what belongs to it and nothing else", () => {
    const text = "- a\n  more\n  - nested\n\n  still a\n- b\n```\n- a\n```\n"
    assert.deepStrictEqual(deleteMemoryItem(text, "a more"), { file: "- b\n```\n- a\n```\n", deleted: 1 })
    assert.deepStrictEqual(deleteMemoryItem("- a\n```\ncode\n```\n", "a"), { file: "```\ncode\n```\n", deleted: 1 })
    assert.deepStrictEqual(deleteMemoryItem("- a\n- a\n", "a"), { file: "", deleted: 2 })
    assert.deepStrictEqual(deleteMemoryItem("- a\n", "b"), { file: "- a\n", deleted: 0 })
  })

  it("what stood around a deleted row stays apart", () => {
    assert.deepStrictEqual(deleteMemoryItem("text\n- a\n---\n", "a"), { file: "text\n\n---\n", deleted: 1 })
    assert.deepStrictEqual(deleteMemoryItem("> one\n- a\n> two\n", "a"), { file: "> one\n\n> two\n", deleted: 1 })
    assert.strictEqual(deleteMemorySection("- a\n## A\nB\n===\n", "A"), "- a\n\nB\n===\n")
    assert.strictEqual(replaceMemorySection("## A\nB\n===\n", "A", "new"), "## A\nnew\n\nB\n===\n")
  })

  it("a line of dashes below a bullet's second paragraph underlines nothing", () => {
    assert.strictEqual(deleteMemorySection("## A\n- a\n\n  more\n---\n## B\n", "A"), "## B\n")
  })

  it("deletes a section whole", () => {
    assert.strictEqual(deleteMemorySection("# M\n\n## A\n- a\n### S\n- s\n\n## B\n- b\n", "A"), "# M\n\n## B\n- b\n")
  })
})

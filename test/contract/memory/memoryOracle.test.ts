import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  addMemoryItem,
  deleteMemoryItem,
  deleteMemorySection,
  replaceMemorySection
} from "../../../src/contract/memory/memoryMarkdown.ts"
import { type MarkdownBlock, markdownBlocks } from "../../support/markdownBlocks.ts"

/** Indented lines belong to the bullet above; without one, they would join a new bullet. */
const Row = Schema.Literals([
  "# Memory",
  "## General",
  "## Projects",
  "### Details",
  "- likes tea",
  "- likes tea",
  "* uses *stars*",
  "+ plus",
  "- travels\n  - nested\n  more of it",
  "- reads\n  every day\n\n  and at night",
  "lazy line",
  "",
  "",
  "```\n# not a heading\n- likes tea\n```",
  "~~~md\n## General\n\n~~~",
  "Plans\n=====",
  "---",
  "***",
  "> quoted",
  "1. first",
  "emoji 🫖 and ünïcode",
  "trailing spaces  "
])

/** A file around one row, so that hardly any file is without what is changed. */
const FileParts = Schema.Struct({
  above: Schema.Array(Row),
  row: Schema.Literals(["## General", "Plans\n=====", "### Details", "- likes tea", "- drinks\n  - likes tea"]),
  below: Schema.Array(Row),
  lineBreak: Schema.Literals(["\n", "\r\n"]),
  ends: Schema.Boolean
})

const Title = Schema.Literals(["General", "Projects", "Details", "Plans"])

const fileOf = ({ above, row, below, lineBreak, ends }: typeof FileParts.Type) => {
  const text = [...above, row, ...below].join("\n").replaceAll("\n", lineBreak)
  return ends ? text + lineBreak : text
}

/** The blocks that `longer` has and `shorter` has not, when they are consecutive and all others are the same. */
const extraBlocks = (
  shorter: ReadonlyArray<MarkdownBlock>,
  longer: ReadonlyArray<MarkdownBlock>
): ReadonlyArray<MarkdownBlock> | undefined => {
  const same = (a: MarkdownBlock | undefined, b: MarkdownBlock | undefined) => JSON.stringify(a) === JSON.stringify(b)
  const count = longer.length - shorter.length
  if (count < 0) return undefined
  const head = shorter.findIndex((block, index) => !same(block, longer[index]))
  const from = head === -1 ? shorter.length : head
  const isRest = shorter.slice(from).every((block, index) => same(block, longer[from + count + index]))
  return isRest ? longer.slice(from, from + count) : undefined
}

const told = (before: string, after: string | undefined) => JSON.stringify({ before, after }, undefined, 1)

describe("what the memory editor changes, as another reader of markdown sees it", () => {
  it.prop("an added bullet is one new item, and every other block stays", [FileParts, Title], ([parts, title]) => {
    const before = fileOf(parts)
    const after = addMemoryItem(before, title, "a new fact") ?? ""
    const extra = extraBlocks(markdownBlocks(before), markdownBlocks(after))
    assert.deepStrictEqual(
      extra?.filter(({ kind }) => kind !== "atxHeading").map(({ kind, text }) => [kind, text]),
      [
        ["item", ""],
        ["paragraph", "a new fact"]
      ],
      told(before, after)
    )
  })

  it.prop("a deleted bullet takes its own blocks with it and no other", [FileParts], ([parts]) => {
    const before = fileOf(parts)
    const { file: after, deleted } = deleteMemoryItem(before, "likes tea")
    if (deleted !== 1) return
    const gone = extraBlocks(markdownBlocks(after), markdownBlocks(before))
    assert.isDefined(gone, told(before, after))
    assert.isTrue(
      gone?.some(({ kind, text }) => kind === "paragraph" && text === "likes tea"),
      told(before, after)
    )
  })

  it.prop("a deleted section takes its own blocks with it and no other", [FileParts, Title], ([parts, title]) => {
    const before = fileOf(parts)
    const after = deleteMemorySection(before, title)
    if (after === undefined) return
    const gone = extraBlocks(markdownBlocks(after), markdownBlocks(before))
    assert.isDefined(gone, told(before, after))
  })

  it.prop("what replaces a section changes no block outside it", [FileParts, Title], ([parts, title]) => {
    const before = fileOf(parts)
    const empty = replaceMemorySection(before, title, "")
    const after = replaceMemorySection(before, title, "a new text")
    if (empty === undefined || after === undefined) return
    const extra = extraBlocks(markdownBlocks(empty), markdownBlocks(after))
    assert.deepStrictEqual(
      extra?.map(({ kind, text }) => [kind, text]),
      [["paragraph", "a new text"]],
      told(before, after)
    )
  })
})

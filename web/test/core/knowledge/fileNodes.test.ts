import { assert, describe, it } from "@effect/vitest"
import type { FileNode } from "../../../../src/contract/schema/files.ts"
import { byteText } from "../../../src/core/common/numberText.ts"
import { changedRange } from "../../../src/core/knowledge/changedRange.ts"
import { extensionOf, imageType, kindOfFile } from "../../../src/core/knowledge/fileKinds.ts"
import {
  allFolders,
  findNodes,
  foldersTo,
  isInside,
  joinPath,
  movedPath,
  nameOf,
  parentOf,
  treeRows
} from "../../../src/core/knowledge/fileNodes.ts"
import { lineBreakOf } from "../../../src/core/knowledge/lineEndings.ts"
import { languageOf } from "../../../src/editor/languageOf.ts"
import { treeKey } from "../../../src/knowledge/treeKeys.ts"

const NODES: ReadonlyArray<FileNode> = [
  {
    name: "src",
    path: "src",
    type: "directory",
    children: [
      { name: "a.ts", path: "src/a.ts", type: "file" },
      { name: "deep", path: "src/deep", type: "directory", truncated: true }
    ]
  },
  { name: "read me.md", path: "read me.md", type: "file" }
]

describe("paths", () => {
  it("are taken apart and put together", () => {
    assert.deepStrictEqual([parentOf("a/b/c"), parentOf("a"), nameOf("a/b"), nameOf("a")], ["a/b", "", "b", "a"])
    assert.deepStrictEqual([joinPath("", "a"), joinPath("a", "b")], ["a", "a/b"])
    assert.deepStrictEqual(foldersTo("a/b/c"), ["a", "a/b"])
    assert.deepStrictEqual([isInside("a", "a/b"), isInside("a", "ab"), isInside("", "x")], [true, false, true])
    assert.deepStrictEqual([movedPath("a/b", "a", "z"), movedPath("ab", "a", "z")], ["z/b", "ab"])
  })
})

describe("the tree's lines", () => {
  it("show open folders with their entries", () => {
    const rows = treeRows(NODES, new Set(["src"]))
    assert.deepStrictEqual(
      rows.map(({ node, depth, position, size }) => [node.path, depth, position, size]),
      [
        ["src", 0, 1, 2],
        ["src/a.ts", 1, 1, 2],
        ["src/deep", 1, 2, 2],
        ["read me.md", 0, 2, 2]
      ]
    )
    assert.deepStrictEqual(allFolders(NODES), ["src", "src/deep"])
  })

  it("are found by all words of their path", () => {
    const found = (query: string) => findNodes(NODES, query).map(({ node }) => node.path)
    assert.deepStrictEqual(found("SRC ts"), ["src/a.ts"])
    assert.deepStrictEqual(found("me read"), ["read me.md"])
    assert.deepStrictEqual(found("nothing"), [])
  })

  it("are walked by keys as trees are", () => {
    const rows = treeRows(NODES, new Set(["src"]))
    const key = (name: string, index: number, more: object = {}) =>
      treeKey({ key: name, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more }, rows, index)
    assert.deepStrictEqual(key("ArrowDown", 0), { kind: "focus", index: 1 })
    assert.deepStrictEqual(key("ArrowUp", 0), { kind: "focus", index: 0 })
    assert.deepStrictEqual(key("End", 0), { kind: "focus", index: 3 })
    assert.deepStrictEqual(key("ArrowRight", 0), { kind: "focus", index: 1 })
    assert.deepStrictEqual(key("ArrowRight", 2), { kind: "toggle" })
    assert.isNull(key("ArrowRight", 1))
    assert.deepStrictEqual(key("ArrowLeft", 0), { kind: "toggle" })
    assert.deepStrictEqual(key("ArrowLeft", 2), { kind: "focus", index: 0 })
    assert.isNull(key("ArrowLeft", 3))
    assert.deepStrictEqual(key("Enter", 1), { kind: "choose" })
    assert.deepStrictEqual(key("F2", 1), { kind: "rename" })
    assert.deepStrictEqual(key("Delete", 1), { kind: "delete" })
    assert.deepStrictEqual(key("r", 0), { kind: "focus", index: 3 })
    assert.isNull(key("z", 0))
    assert.isNull(key("ArrowDown", 0, { ctrlKey: true }))
    assert.isNull(key("ArrowDown", 9))
  })
})

describe("kinds of files", () => {
  it("are identified by the extension", () => {
    assert.deepStrictEqual(["a.PNG", "b.pdf", "c.ts", ".png", "constructor", "a.constructor"].map(kindOfFile), [
      "image",
      "pdf",
      "text",
      "text",
      "text",
      "text"
    ])
    assert.deepStrictEqual([extensionOf("a.tar.GZ"), extensionOf(".env"), extensionOf("plain")], ["gz", "", ""])
    assert.strictEqual(imageType("x.svg"), "image/svg+xml")
    assert.deepStrictEqual(["a.md", "a.tsx", "a.toString", "a.yml", "Makefile"].map(languageOf), [
      "markdown",
      "tsx",
      null,
      "yaml",
      null
    ])
  })

  it("sizes are written for people", () => {
    assert.deepStrictEqual([0, 512, 1024, 1536, 200 * 1024, 3 * 1024 ** 3].map(byteText), [
      "0 B",
      "512 B",
      "1.0 KB",
      "1.5 KB",
      "200 KB",
      "3.0 GB"
    ])
  })
})

describe("texts", () => {
  it("keep their line breaks", () => {
    assert.deepStrictEqual(["", "a\nb", "a\r\nb\r\n", "a\r\nb\n", "a\rb\r\n", "a\rb"].map(lineBreakOf), [
      "\n",
      "\n",
      "\r\n",
      "\n",
      "\n",
      "\n"
    ])
  })

  it.each([
    ["", ""],
    ["abc", "abc"],
    ["abc", "abXc"],
    ["aaa", "aa"],
    ["aa", "aaa"],
    ["one two", "one 2 two"],
    ["x", "completely else"]
  ])("what differs between %j and %j is replaced, and nothing else", (before, after) => {
    const { from, to, end } = changedRange(before, after)
    assert.strictEqual(before.slice(0, from) + after.slice(from, end) + before.slice(to), after)
    assert.isAtMost(to - from, before.length)
  })
})

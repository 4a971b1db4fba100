import { assert, describe, it } from "@effect/vitest"
import type { SessionNode } from "../../src/core/chatTypes.ts"
import { nextIndex } from "../../src/sessions/moveFocus.ts"
import { sessionEntries, stateLabel } from "../../src/sessions/sessionPresentation.ts"
import { sessionRow } from "../support/sessionRow.ts"

const node = (title: string, depth: number, children: ReadonlyArray<SessionNode> = []): SessionNode => ({
  row: sessionRow({ key: `agent:main:${title}`, title, model: "demo/steady" }),
  depth,
  children
})

const tree = [
  node("Report", 0, [node("Facts", 1, [node("Deep", 2, [node("Deeper", 3, [node("Deepest", 4)])])])]),
  node("Other", 0)
]

describe("sessionEntries", () => {
  it("lists children under their parents and stops indenting at the third level", () => {
    assert.deepStrictEqual(
      sessionEntries(tree, "").map((entry) => `${entry.depth} ${entry.row.title}`),
      ["0 Report", "1 Facts", "2 Deep", "3 Deeper", "3 Deepest", "0 Other"]
    )
  })

  it("keeps sessions that have every word in title, key or model, without indentation", () => {
    const found = sessionEntries(tree, "  STEADY deep ")
    assert.deepStrictEqual(
      found.map((entry) => `${entry.depth} ${entry.row.title}`),
      ["0 Deep", "0 Deeper", "0 Deepest"]
    )
    assert.lengthOf(sessionEntries(tree, "nothing"), 0)
  })
})

describe("stateLabel", () => {
  it("has different words for each state that asks for attention", () => {
    const labels = (["working", "waiting", "unread", "error"] as const).map(stateLabel)
    assert.strictEqual(new Set(labels).size, 4)
    assert.strictEqual(stateLabel("idle"), "")
  })
})

describe("nextIndex", () => {
  it("walks and stays at the ends", () => {
    assert.strictEqual(nextIndex("ArrowDown", -1, 3), 0)
    assert.strictEqual(nextIndex("ArrowDown", 2, 3), 2)
    assert.strictEqual(nextIndex("ArrowUp", 0, 3), 0)
    assert.strictEqual(nextIndex("Home", 2, 3), 0)
    assert.strictEqual(nextIndex("End", 0, 3), 2)
  })
})

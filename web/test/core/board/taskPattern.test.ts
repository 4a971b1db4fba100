import { assert, describe, it } from "@effect/vitest"
import { edited, newEdit } from "../../../src/core/board/taskEdit.ts"
import {
  patternEdit,
  patternName,
  patternOf,
  patternOfCard,
  titled,
  withPattern
} from "../../../src/core/board/taskPattern.ts"
import { CONFIG, task } from "./FakeBoard.ts"

describe("what new cards begin with", () => {
  const config = { ...CONFIG, columns: [], defaultModel: null }
  it("comes out of its form as it went in, with what the form doesn't show", () => {
    const pattern = {
      title: "Water {date}",
      status: "todo",
      priority: "high",
      labels: ["garden"],
      assignee: "agent:main",
      autoStart: true,
      retry: { max: 1, waitMin: 5 },
      checklist: [{ text: "roses" }],
      dueAt: 5
    } as const
    assert.deepStrictEqual(patternOf(patternEdit(pattern, config), pattern), pattern)
    assert.deepStrictEqual(patternOf(patternEdit(null, config), null), { status: "todo", priority: "normal" })
  })
  it("has the dates that its form shows", () => {
    const dated = edited(edited(patternEdit(null, config), "dueAt", 5), "startAt", 4)
    assert.deepInclude(patternOf(dated, null), { dueAt: 5, startAt: 4 })
  })
  it("needs a title to come again", () => {
    assert.isNull(titled({ description: "x" }))
    assert.deepStrictEqual(titled({ title: " Water " }), { title: "Water" })
  })
  it("is named by its title, as far as a name may be long", () => {
    assert.strictEqual(patternName(" Ship "), "Ship")
    assert.strictEqual(patternName("🚢".repeat(201)), "🚢".repeat(200))
  })
  it("of a card leaves out what is that card's alone", () => {
    const card = task("a", {
      title: "Ship",
      after: ["b"],
      parentId: "c",
      dueAt: 9,
      startAt: 8,
      checklist: [{ id: "1", text: "pack", done: true }]
    })
    assert.deepStrictEqual(patternOfCard(card), {
      title: "Ship",
      priority: "normal",
      checklist: [{ text: "pack", done: false }]
    })
  })
  it("is put on top of what was typed", () => {
    const typed = edited(newEdit(task("new", { title: "" })), "description", "mine")
    const { changes } = withPattern(typed, { title: "Ship", labels: ["release"] })
    assert.deepStrictEqual(changes, { description: "mine", title: "Ship", labels: ["release"] })
  })
  it("brings its checklist and its dates along", () => {
    const pattern = { dueAt: 5, startAt: 4, checklist: [{ text: "pack" }, { id: "b", text: "send", done: true }] }
    const { changes } = withPattern(newEdit(task("new", { title: "" })), pattern)
    assert.deepStrictEqual(changes, {
      dueAt: 5,
      startAt: 4,
      checklist: [
        { id: "item-0", text: "pack", done: false },
        { id: "b", text: "send", done: true }
      ]
    })
  })
})

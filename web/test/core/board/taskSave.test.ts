import { assert, describe, it } from "@effect/vitest"
import { unsavedText } from "../../../src/core/board/BoardActions.ts"
import { edited, keepMine, newEdit, rebased, saveProblem } from "../../../src/core/board/taskEdit.ts"
import { task } from "./FakeBoard.ts"

const base = task("a", { title: "Before" })

describe("saving a card", () => {
  it("has nothing against what is typed properly", () => {
    assert.isNull(saveProblem(edited(newEdit(base), "title", "After")))
  })

  it("leads to the title where that is missing", () => {
    assert.deepStrictEqual(saveProblem(edited(newEdit(base), "title", " ")), {
      text: "A card needs a title.",
      at: "title"
    })
  })

  it("leads to the choice where somebody else wrote, until it is made", () => {
    const mine = edited(newEdit(base), "title", "Mine")
    const both = rebased(mine, task("a", { title: "Theirs", version: 2 }))
    assert.deepStrictEqual(saveProblem(both), { text: "Choose which text to keep first.", at: "conflict" })
    assert.isNull(saveProblem(keepMine(both, "title")))
  })

  it("says what is left afterwards: why it failed, or what somebody else was quicker with", () => {
    assert.strictEqual(
      unsavedText({ ok: false, reason: "failed", message: "The console is away." }),
      "The console is away."
    )
    assert.isNull(unsavedText({ ok: true, value: { task: base, conflicts: [], before: {} } }))
    const conflicts = [{ field: "title", base: "Before", mine: "Mine", theirs: "Theirs" }] as const
    assert.include(unsavedText({ ok: true, value: { task: base, conflicts, before: {} } }), "same field")
  })
})

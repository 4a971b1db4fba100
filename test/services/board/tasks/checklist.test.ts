import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { ChecklistInput } from "../../../../src/contract/schema/task.ts"
import { runPrompt } from "../../../../src/services/board/runs/runPrompt.ts"
import { checklistMarkdown, checklistOf } from "../../../../src/services/board/tasks/taskRules.ts"

const isTaken = (value: unknown) => Result.isSuccess(Schema.decodeUnknownResult(ChecklistInput)(value))

describe("a checklist", () => {
  it("gives items without an id the lowest free number", () => {
    const ids = checklistOf([{ text: "a" }, { id: "1", text: "b" }, { text: "c" }, { id: "x", text: "d" }])?.map(
      ({ id }) => id
    )
    assert.deepStrictEqual(ids, ["2", "1", "3", "x"])
    assert.isNull(checklistOf([]))
  })

  it("takes up to 100 items of 500 characters with different ids", () => {
    assert.isTrue(isTaken(Array.from({ length: 100 }, () => ({ text: "x".repeat(500) }))))
    assert.isFalse(isTaken(Array.from({ length: 101 }, () => ({ text: "x" }))))
    assert.isFalse(isTaken([{ text: "x".repeat(501) }]))
    assert.isFalse(isTaken([{ text: " " }]))
    assert.isFalse(
      isTaken([
        { id: "a", text: "x" },
        { id: "a", text: "y" }
      ])
    )
    assert.isFalse(isTaken([{ text: "x", done: "yes" }]))
  })

  it("reads as Markdown", () => {
    assert.strictEqual(
      checklistMarkdown([
        { id: "1", text: "a", done: true },
        { id: "2", text: "b", done: false }
      ]),
      "- [x] a\n- [ ] b"
    )
    assert.strictEqual(checklistMarkdown(undefined), "")
  })
})

describe("comments in a prompt", () => {
  const said = (count: number, length: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: `${index}`,
      at: index,
      by: "Ada",
      text: `${index} ${"x".repeat(length)}`
    }))

  it("are the latest that fit, and follow the feedback", () => {
    const feedback = [{ at: 1, by: "operator", note: "no" }]
    const prompt = runPrompt({ title: "T", feedback }, said(10, 4000))
    assert.notInclude(prompt, "- Ada: 0 ")
    assert.include(prompt, "- Ada: 9 ")
    assert.isBelow(prompt.length, 21_000)
    assert.isBelow(prompt.indexOf("Feedback on earlier attempts"), prompt.indexOf("Comments on this task"))
    assert.strictEqual(runPrompt({ title: "T", feedback: [] }, []), "T")
  })
})

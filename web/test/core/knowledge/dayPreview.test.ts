import { assert, describe, it } from "@effect/vitest"
import { dayPreviews, firstLine } from "../../../src/core/knowledge/dayPreview.ts"

describe("what a day's section begins with", () => {
  it("is the first line that says something, without its marks", () => {
    assert.strictEqual(firstLine("- Counted **28** boats\n- Nothing else"), "Counted 28 boats")
    assert.strictEqual(
      firstLine("\n### Later\n\n1. Read [the plan](lamp/plan.md) and `week.json`"),
      "Read the plan and week.json"
    )
    assert.strictEqual(firstLine("- [x] Asked the baker\n  for a ladder"), "Asked the baker for a ladder")
    assert.strictEqual(firstLine("> 2 * 3 * 4 snake_case"), "2 * 3 * 4 snake_case")
    assert.strictEqual(firstLine("### Only a heading\n"), "")
  })

  it("is found in the day's whole file, by heading", () => {
    const file = "# 2026-01-02\n\n## Morning\n- ran\n\n## Evening\n\n## Night\nSlept.\n"
    assert.deepStrictEqual(dayPreviews(file, ["Morning", "Evening", "Night", "Gone"]), [
      ["Morning", "ran"],
      ["Evening", ""],
      ["Night", "Slept."],
      ["Gone", ""]
    ])
  })
})

import { assert, describe, it } from "@effect/vitest"
import { firstWords, newValues, placedText } from "../../../src/core/inbox/detailText.ts"

describe("the details of an item", () => {
  it("is in short its first paragraph, as it reads", () => {
    assert.strictEqual(
      firstWords("## Names\nThree **good** ones, from `list`:\n\n| Name | Why |\n|---|---|"),
      "Names Three good ones, from list:"
    )
    assert.strictEqual(firstWords(""), "")
  })

  it("says where a command would run", () => {
    assert.strictEqual(placedText("workspace · gateway"), "Runs on the gateway, in the folder workspace")
    assert.strictEqual(
      placedText("Tidies up\n\n/srv/a b · sandbox"),
      "Tidies up\n\nRuns in the sandbox, in the folder /srv/a b"
    )
    assert.strictEqual(placedText("workspace"), "workspace")
    assert.strictEqual(placedText("one · other"), "one · other")
  })

  it("names the fields of a proposed change and their values", () => {
    const detail = `priority: high\nstatus: in-progress\nlabels: ["a","b"]\nassignee: agent:coder\nestimateMin: 90\ndescription: First line\nNote: second line\ndueAt: null`
    assert.deepStrictEqual(newValues(detail, 0), [
      { field: "Priority", value: "High" },
      { field: "Column", value: "In Progress" },
      { field: "Labels", value: "a, b" },
      { field: "Assignee", value: "coder" },
      { field: "Estimate", value: "1 h 30 min" },
      { field: "Description", value: "First line\nNote: second line" },
      { field: "Due date", value: "nothing" }
    ])
    assert.deepStrictEqual(newValues('labels: ["cut off', 0), [{ field: "Labels", value: '["cut off' }])
    assert.isNull(newValues("They answered within a day.", 0))
  })
})

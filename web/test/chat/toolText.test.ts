import { assert, describe, it } from "@effect/vitest"
import { argumentsText, shortened, toolTarget } from "../../src/chat/toolText.ts"

describe("toolTarget", () => {
  it("prefers the argument that says most, in one line", () => {
    assert.strictEqual(toolTarget({ timeout: 3, note: "later", command: "ls -la\npwd" }), "ls -la")
    assert.strictEqual(toolTarget({ anything: "here" }), "here")
  })

  it("is empty for arguments without text", () => {
    for (const args of [null, undefined, 3, [], {}, { n: 1 }, { command: "  " }])
      assert.strictEqual(toolTarget(args), "")
  })

  it("cuts what would not fit into a line", () => {
    assert.lengthOf(toolTarget({ path: "a".repeat(500) }), 141)
  })
})

describe("argumentsText", () => {
  it("shows objects as JSON and leaves nothing out but emptiness", () => {
    assert.strictEqual(argumentsText({ a: 1 }), '{\n  "a": 1\n}')
    assert.strictEqual(argumentsText("raw"), "raw")
    assert.strictEqual(argumentsText({}), "")
    assert.strictEqual(argumentsText(null), "")
  })
})

describe("shortened", () => {
  it("says how much is hidden", () => {
    assert.deepStrictEqual(shortened("abcdef", 4), { text: "abcd", hidden: 2 })
    assert.deepStrictEqual(shortened("abcd", 4), { text: "abcd", hidden: 0 })
  })
})

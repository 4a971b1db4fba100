import { assert, describe, it } from "@effect/vitest"
import { hangOf } from "../../src/editor/hangingLists.ts"

describe("further rows of a line", () => {
  it("begin under the words of a list's item, and anywhere else at the start", () => {
    assert.deepStrictEqual(["- tea", "  * tea", "12. tea", "- [x] tea", "-  tea"].map(hangOf), [2, 4, 4, 6, 3])
    assert.deepStrictEqual(
      ["tea", "-", "- ", "---", "    tea", "-5 degrees", "\t- tea"].map(hangOf),
      [0, 0, 0, 0, 0, 0, 0]
    )
    assert.strictEqual(hangOf(`${" ".repeat(40)}- tea`), 16)
  })
})

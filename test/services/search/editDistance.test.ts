import { assert, describe, it } from "@effect/vitest"
import { editDistance } from "../../../src/services/search/query/editDistance.ts"

describe("the letters two words differ in", () => {
  it("are counted: changed, missing, added, and neighbours in the wrong order", () => {
    for (const [one, other, distance] of [
      ["lighthouse", "lighthouse", 0],
      ["lighthuose", "lighthouse", 1],
      ["lamp", "lump", 1],
      ["lamp", "lamps", 1],
      ["keper", "keeper", 1],
      ["harbor", "harbours", 2],
      ["ubung", "uebung", 1]
    ] as const)
      assert.strictEqual(editDistance(one, other, 3), distance, `${one} ${other}`)
  })

  it("are not counted beyond what is wanted", () => {
    assert.strictEqual(editDistance("lamp", "harbour", 2), 3)
    assert.strictEqual(editDistance("abcd", "wxyz", 1), 2)
  })
})

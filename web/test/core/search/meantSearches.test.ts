import { assert, describe, it } from "@effect/vitest"
import { meantSearches } from "../../../src/core/search/meantSearches.ts"

describe("searches that may have been meant", () => {
  it("have the nearest words in place of those that occur nowhere, and filters as they were", () => {
    assert.deepStrictEqual(
      meantSearches("from:me Lighthuose keeper", [{ word: "lighthuose", instead: ["lighthouse", "lighthouses"] }]),
      ["from:me lighthouse keeper", "from:me lighthouses keeper"]
    )
    assert.deepStrictEqual(
      meantSearches("lanten ligth*", [
        { word: "lanten", instead: ["lantern"] },
        { word: "ligth", instead: ["light", "lights"] }
      ]),
      ["lantern light"]
    )
    assert.deepStrictEqual(meantSearches("Übng", [{ word: "ubng", instead: ["ubung"] }]), ["ubung"])
  })

  it("are none without such words", () => {
    assert.deepStrictEqual(meantSearches("lamp", []), [])
  })
})

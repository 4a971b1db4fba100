import { assert, describe, it } from "@effect/vitest"
import { suggestionsFor } from "../../src/chat/suggestionList.ts"

describe("suggestionsFor", () => {
  it("offers the demonstration's keywords only where the demonstration answers", () => {
    const demo = suggestionsFor([{ modelProvider: null }, { modelProvider: "demo" }])
    const real = suggestionsFor([{ modelProvider: "openai" }])
    assert.isTrue(demo.some(({ text }) => text.includes("chart")))
    assert.isFalse(real.some(({ text }) => demo.some((other) => other.text === text)))
    assert.deepStrictEqual(suggestionsFor([]), real)
  })
})

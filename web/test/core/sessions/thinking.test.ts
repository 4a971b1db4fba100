import { assert, it } from "@effect/vitest"
import { thinkingChoices } from "../../../src/core/sessions/sessionChoices.ts"

it("thinking levels begin with a capital, whatever their source", () => {
  assert.deepStrictEqual(
    thinkingChoices(null).map(({ label }) => label),
    ["Off", "Minimal", "Low", "Medium", "High"]
  )
  const thinkingLevels = [
    { id: "low", label: "low" },
    { id: "xhigh", label: "extra high" },
    { id: "turbo", label: "turbo" }
  ]
  assert.deepStrictEqual(thinkingChoices({ thinkingLevels }), [
    { id: "low", label: "Low" },
    { id: "xhigh", label: "Extra high" },
    { id: "turbo", label: "Turbo" }
  ])
})

import { assert, it } from "@effect/vitest"
import { elapsed } from "../../src/cli/update.ts"

it.each([
  [0, "0.0 s"],
  [1_240, "1.2 s"],
  [59_940, "59.9 s"],
  [59_950, "1 min 0 s"],
  [60_000, "1 min 0 s"],
  [76_400, "1 min 16 s"],
  [119_499, "1 min 59 s"],
  [119_600, "2 min 0 s"],
  [3_599_900, "60 min 0 s"]
] as const)("%i ms are told as %s", (milliseconds, told) => {
  assert.strictEqual(elapsed(milliseconds), told)
})

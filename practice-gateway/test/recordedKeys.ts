import { assert } from "@effect/vitest"

const names = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string" ? value.split(" ") : typeof value === "object" && value !== null ? Object.keys(value) : []

/**
 * Asserts that a value has the recorded fields and no others. `without` names recorded fields that the embedded
 * gateway leaves out on purpose; `sometimes` those that depend on state.
 */
export const assertKeys = (
  value: unknown,
  recorded: string | undefined,
  options: {
    readonly without?: ReadonlyArray<string>
    readonly sometimes?: ReadonlyArray<string>
    readonly about?: string
  } = {}
) => {
  const { without = [], sometimes = [], about = "" } = options
  const compared = (key: string) => !sometimes.includes(key)
  const expected = names(recorded).filter((key) => !without.includes(key))
  assert.deepStrictEqual(names(value).filter(compared).toSorted(), expected.filter(compared).toSorted(), about)
}

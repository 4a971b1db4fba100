import { assert } from "@effect/vitest"
import { englishSentence } from "../../src/contract/failures.ts"

/** An answer without the code beside its sentence, which has to say the same. */
export const worded = (answer: unknown): Readonly<Record<string, unknown>> => {
  const { why, ...rest } = Object(answer)
  assert.strictEqual(englishSentence(Object(why)), rest.details ?? rest.error, JSON.stringify(answer))
  return rest
}

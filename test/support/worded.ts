import { assert } from "@effect/vitest"
import { failureSentence, isFailureCode } from "../../src/contract/failures.ts"

const sentenceOf = (why: unknown): unknown => {
  const { code, values } = Object(why)
  return isFailureCode(code) ? failureSentence(code, values) : code
}

/** An answer without the code beside its sentence, which has to say the same. */
export const worded = (answer: unknown): Readonly<Record<string, unknown>> => {
  const { why, ...rest } = Object(answer)
  assert.strictEqual(sentenceOf(why), rest.details ?? rest.error, JSON.stringify(answer))
  return rest
}

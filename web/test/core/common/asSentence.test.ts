import { assert, it } from "@effect/vitest"
import { asSentence } from "../../../src/core/common/quotedTitle.ts"

it("half a sentence becomes a whole one, and a whole one stays as it is in every language", () => {
  assert.strictEqual(asSentence("the limits are being fetched: try again"), "The limits are being fetched: try again.")
  for (const whole of ["Run it once.", "Why?", "制限を取得中です。", "Run:", "شغّله مرة واحدة."])
    assert.strictEqual(asSentence(whole), whole)
})

import { assert, describe, it } from "@effect/vitest"
import { asSentence, listInSentence, listText } from "../../../src/core/common/phrases.ts"

it("half a sentence becomes a whole one, and a whole one stays as it is in every language", () => {
  assert.strictEqual(asSentence("the limits are being fetched: try again"), "The limits are being fetched: try again.")
  for (const whole of ["Run it once.", "Why?", "制限を取得中です。", "Run:", "شغّله مرة واحدة."])
    assert.strictEqual(asSentence(whole), whole)
})

describe("lists of names", () => {
  it("are separated as in the language", () => {
    assert.strictEqual(listText(["a", "b", "c"], "en-GB"), "a, b, c")
    assert.strictEqual(listText(["a", "b"], "en-US"), "a, b")
    assert.strictEqual(listText(["a", "b", "c"], "ja"), "a、b、c")
    assert.strictEqual(listText([], "en"), "")
  })

  it("are joined in a sentence, with the language's word before the last", () => {
    assert.strictEqual(listInSentence(["a", "b", "c"], "en-GB"), "a, b and c")
    assert.strictEqual(listInSentence(["a", "b"], "de"), "a und b")
    assert.strictEqual(listInSentence(["a"], "fr"), "a")
  })
})

import { assert, describe, it } from "@effect/vitest"
import { listInSentence, listText } from "../../../src/core/common/quotedTitle.ts"

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

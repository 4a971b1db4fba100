import { assert, describe, it } from "@effect/vitest"
import { isVersion, textVersion } from "../../src/contract/textVersion.ts"

describe("textVersion", () => {
  it("is the same for the same text and another for every other one", () => {
    const texts = Array.from({ length: 20_000 }, (_, index) => `line ${index}\n`.repeat(index % 3))
    const all = new Set([...texts, "", "\u0000", "é", "e\u0301", "a\r\n", "a\n"])
    assert.strictEqual(new Set([...all].map(textVersion)).size, all.size)
    assert.strictEqual(textVersion("as it was"), textVersion("as it was"))
  })

  it("lets a write go on only over the text it was made from", () => {
    assert.isTrue(isVersion(undefined, "anything"))
    assert.isTrue(isVersion(null, undefined))
    assert.isFalse(isVersion(null, ""))
    assert.isTrue(isVersion(textVersion(""), ""))
    assert.isFalse(isVersion(textVersion("old"), "new"))
    assert.isFalse(isVersion(textVersion("old"), undefined))
  })
})

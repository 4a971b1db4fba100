import { assert, describe, it } from "vitest"
import { isTooLarge, sizeText, takesText, textFile, textIn } from "../../../src/core/composer/sendFile.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

describe("how a file goes to an agent", () => {
  it("is as text if it is UTF-8 without NUL, whatever its name says", () => {
    assert.strictEqual(textIn(bytes("grüße\n")), "grüße\n")
    assert.strictEqual(textIn(bytes("")), "")
    assert.isNull(textIn(bytes("a\0b")))
    assert.isNull(textIn(bytes("%PDF-1.4\n1 0 obj <<>> endobj\n")))
    assert.isNull(textIn(bytes("{\\rtf1 hello}")))
    assert.isNull(textIn(new Uint8Array([0xff, 0xfe, 0x41])))
  })

  it("is as text only up to 64 KB, and 128 KB of a message", () => {
    const one = textFile("a.txt", 60_000, "x".repeat(60_000))
    assert.isTrue(takesText([], 64 * 1024))
    assert.isFalse(takesText([], 64 * 1024 + 1))
    assert.isTrue(takesText([one], 60_000))
    assert.isFalse(takesText([one, one], 60_000))
    const wide = textFile("b.txt", 60_000, "字".repeat(20_000))
    assert.isFalse(takesText([wide, wide], 60_000))
    assert.isFalse(isTooLarge(100_000_000))
    assert.isTrue(isTooLarge(100_000_001))
  })

  it("is under a name of one line", () => {
    assert.strictEqual(textFile("a\nb\u202E.txt", 1, "x").name, "ab.txt")
    assert.strictEqual(textFile("\u0007", 1, "x").name, "text")
    assert.isAtMost(textFile("x".repeat(10_000), 1, "x").name.length, 120)
  })

  it("says how large it is", () => {
    assert.deepStrictEqual([0, 999, 1_000, 1_234, 12_345, 999_949, 1_200_000, 100_000_000].map(sizeText), [
      "0 B",
      "999 B",
      "1 KB",
      "1.2 KB",
      "12 KB",
      "1000 KB",
      "1.2 MB",
      "100 MB"
    ])
  })
})

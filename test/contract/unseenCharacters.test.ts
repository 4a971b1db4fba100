import { assert, describe, it } from "@effect/vitest"
import { markUnseen, UNSEEN_MARK, unseenIn } from "../../src/contract/unseenCharacters.ts"

describe("characters nobody sees", () => {
  it("are marked with their code point", () => {
    assert.strictEqual(
      markUnseen("mv a.txt \u202egnp.b\u202c && ls\u200b -l x"),
      "mv a.txt ⟦U+202E⟧gnp.b⟦U+202C⟧ && ls⟦U+200B⟧ -l x"
    )
    const each = [
      ..."\u0000\u0007\u001b\u007f\u0085\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u180e\u2000\u2003\u200a\u200b",
      ..."\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b\u202d\u202e\u202f\u205f\u2060\u2064\u2066\u2067\u2068\u2069\u206a",
      ..."\u2800\u3000\u3164\ufe00\ufe0f\ufeff\uffa0\ufff9\u{1d173}\u{e0001}\u{e0041}\u{e0100}"
    ]
    for (const one of each) {
      const code = one.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")
      assert.strictEqual(markUnseen(`a${one}b`), `a⟦U+${code}⟧b`)
      assert.deepStrictEqual(unseenIn(`a${one}b${one}`), [`U+${code}`])
      assert.strictEqual(`x${markUnseen(one)}`.replace(UNSEEN_MARK, ""), "x")
    }
  })

  it("are marked at half of a pair or a lone carriage return", () => {
    assert.strictEqual(markUnseen("a\ud800b"), "a⟦U+D800⟧b")
    assert.strictEqual(markUnseen("rm -rf x\recho hi"), "rm -rf x⟦U+000D⟧echo hi")
  })

  it.each([
    ["lines and tabs", "one\n\ttwo\r\nthree"],
    ["every usual letter", "für Élise, Ελληνικά, עברית, العربية, ไทย, 日本語, e\u0301, a\u0308"],
    ["emoji", "👩‍💻 👍🏽 ❤️ 🏳️‍🌈 👨‍👩‍👧‍👦 1️⃣ ☎️"],
    ["Persian", "می‌خواهم"],
    ["letters of India", "क्‍ष ന്‍"],
    ["forms of a Chinese character", "葛\u{e0100}"],
    ["characters of a font's own", "\ue0b0 \u{f0001}"]
  ])("aren't found in %s", (_, text) => {
    assert.strictEqual(markUnseen(text), text)
    assert.deepStrictEqual(unseenIn(text), [])
  })

  it("are found where a joiner joins nothing", () => {
    assert.strictEqual(markUnseen("l\u200ds"), "l⟦U+200D⟧s")
    assert.strictEqual(markUnseen("می\u200c\u200cخ"), "می⟦U+200C⟧⟦U+200C⟧خ")
    assert.strictEqual(markUnseen("🏴\u{e0067}\u{e007f}"), "🏴⟦U+E0067⟧⟦U+E007F⟧")
  })

  it("may be the spaces of sentences", () => {
    assert.strictEqual(
      markUnseen("Réparer la porte\u202f!\u00a0終わり\u3000次", "prose"),
      "Réparer la porte\u202f!\u00a0終わり\u3000次"
    )
    assert.strictEqual(markUnseen("a\u202eb", "prose"), "a⟦U+202E⟧b")
    assert.strictEqual(markUnseen("a\u2003b", "prose"), "a⟦U+2003⟧b")
  })
})

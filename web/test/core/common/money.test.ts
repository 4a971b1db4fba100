import { assert, describe, it } from "@effect/vitest"
import { money } from "../../../src/core/common/numberText.ts"

/** Without the signs that can't be seen, which say in which direction a number is read. */
const seen = (text: string): string => text.replace(/[\u200e\u200f]/gu, "").replaceAll("\u00a0", " ")

describe("money", () => {
  it("is written as the language does it, with the sign alone", () => {
    assert.strictEqual(seen(money(6.9, "en")), "$6.90")
    assert.strictEqual(seen(money(6.9, "de")), "6,90 $")
    assert.strictEqual(seen(money(6.9, "ar")), "6.90 $")
    assert.strictEqual(seen(money(1234.5, "en", false)), "$1,235")
  })

  it("below a cent is said to be that, and nothing is nothing", () => {
    assert.strictEqual(money(0.0017, "en"), "<$0.01")
    assert.strictEqual(money(0, "en"), "$0.00")
  })
})

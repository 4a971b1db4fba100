import { assert, describe, it } from "@effect/vitest"
import { shortNames, withShortNames } from "../../build/shortSymbols.ts"

const A = 'inlinedQrl(() => {}, "s_ISlRodf7IfY")'
const B = 'inlinedQrl(() => "s_x", "s_46V60AEzC58")'

describe("short names of symbols", () => {
  it("are the same whatever order the modules come in, and one for each symbol", () => {
    assert.deepStrictEqual([...shortNames([A, B, A])], [...shortNames([B, A])])
    assert.strictEqual(new Set(shortNames([A, B]).values()).size, 2)
  })

  it("replace nothing else", () => {
    const names = shortNames([A, B])
    assert.strictEqual(withShortNames(B, names), 'inlinedQrl(() => "s_x", "s_0")')
    assert.strictEqual(withShortNames(A, names), 'inlinedQrl(() => {}, "s_1")')
    assert.strictEqual(withShortNames('"s_unknown0000"', names), '"s_unknown0000"')
  })
})

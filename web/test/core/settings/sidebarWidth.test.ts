import { assert, describe, it } from "@effect/vitest"
import { inSidebarRange, SIDEBAR_WIDTHS, widthAfterKey } from "../../../src/core/settings/settingValues.ts"

describe("the sidebar's width", () => {
  it("stays within its range, in whole pixels", () => {
    assert.deepStrictEqual([0, 300.4, 9_000].map(inSidebarRange), [SIDEBAR_WIDTHS.min, 300, SIDEBAR_WIDTHS.max])
  })

  it("follows the arrow keys outwards and inwards, in both directions of reading", () => {
    assert.strictEqual(widthAfterKey("ArrowRight", 300, false), 316)
    assert.strictEqual(widthAfterKey("ArrowLeft", 300, false), 284)
    assert.strictEqual(widthAfterKey("ArrowLeft", 300, true), 316)
    assert.strictEqual(widthAfterKey("ArrowRight", 300, true), 284)
    assert.strictEqual(widthAfterKey("Home", 300, false), SIDEBAR_WIDTHS.min)
    assert.strictEqual(widthAfterKey("End", 300, false), SIDEBAR_WIDTHS.max)
    assert.isNull(widthAfterKey("a", 300, false))
  })
})

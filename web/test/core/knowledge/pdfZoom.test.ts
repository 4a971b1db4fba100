import { assert, describe, it } from "@effect/vitest"
import { canvasRatio, fittingZoom, nextZoom } from "../../../src/core/knowledge/pdf/pdfZoom.ts"

describe("the zoom of a PDF", () => {
  it("fits a width of points into pixels, within limits", () => {
    assert.closeTo(fittingZoom(595, 595 * (96 / 72)), 1, 1e-9)
    assert.closeTo(fittingZoom(595, 366), 0.461, 0.001)
    assert.strictEqual(fittingZoom(595, -5), 0.1)
    assert.strictEqual(fittingZoom(1, 5_000), 4)
    assert.strictEqual(fittingZoom(0, 500), 1)
  })

  it("goes through its steps from any zoom, and stops at their ends", () => {
    assert.strictEqual(nextZoom(1, 1), 1.25)
    assert.strictEqual(nextZoom(1, -1), 0.75)
    assert.strictEqual(nextZoom(0.46, 1), 0.5)
    assert.strictEqual(nextZoom(0.9999, 1), 1.25)
    assert.strictEqual(nextZoom(0.1, -1), 0.1)
    assert.strictEqual(nextZoom(4, 1), 4)
  })

  it("draws as sharp as the screen, but no canvas that browsers refuse", () => {
    assert.strictEqual(canvasRatio(800, 1_100, 2), 2)
    for (const [width, height] of [
      [3_200, 4_500],
      [60, 40_000],
      [20_000, 20_000]
    ] as const) {
      const ratio = canvasRatio(width, height, 3)
      assert.isAtMost(Math.ceil(width * ratio) * Math.floor(height * ratio), 12_100_000)
      assert.isAtMost(Math.max(width, height) * ratio, 8_193)
    }
  })
})

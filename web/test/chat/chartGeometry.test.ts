import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  areaPath,
  bandAt,
  barOutline,
  linePath,
  PLOT,
  pieSlices,
  shownLabels,
  tickText,
  valueAxis,
  xOf,
  yOf
} from "../../src/ui/charts/chartGeometry.ts"

const Values = Schema.Array(Schema.Number.check(Schema.isBetween({ minimum: -1e9, maximum: 1e9 })))

describe("valueAxis", () => {
  it.prop("encloses all values with a few rising ticks", [Values, Schema.Boolean], ([values, fromZero]) => {
    const axis = valueAxis(values, fromZero)
    for (const value of values) {
      assert.isAtMost(axis.min, value + 1e-9)
      assert.isAtLeast(axis.max, value - 1e-9)
      assert.isAtLeast(yOf(axis, value), PLOT.top - 0.1)
      assert.isAtMost(yOf(axis, value), PLOT.height - PLOT.bottom + 0.1)
    }
    if (fromZero) assert.isTrue(axis.min <= 0 && axis.max >= 0)
    assert.isTrue(axis.ticks.length >= 2 && axis.ticks.length <= 8)
    assert.isTrue(axis.ticks.every((tick, index) => index === 0 || tick > (axis.ticks[index - 1] ?? tick)))
  })

  it("chooses round ticks", () => {
    assert.deepStrictEqual(valueAxis([3, 2, 4, 3, 5], true).ticks, [0, 2, 4, 6])
    assert.deepStrictEqual(valueAxis([], false).ticks, [0, 0.25, 0.5, 0.75, 1])
  })
})

describe("paths", () => {
  it("draw a line through every value, and close an area at zero", () => {
    const axis = valueAxis([0, 10], true)
    assert.strictEqual(linePath(axis, [0, 10]), `M${PLOT.left} ${yOf(axis, 0)}L${xOf(1, 2, "edge")} ${yOf(axis, 10)}`)
    assert.isTrue(areaPath(axis, [0, 10]).endsWith(`L${PLOT.left} ${yOf(axis, 0)}Z`))
    assert.strictEqual(areaPath(axis, []), "")
    assert.notInclude(linePath(axis, [5]), "NaN")
  })
})

describe("pieSlices", () => {
  it("shares out the whole and draws a single value as a full circle", () => {
    assert.deepStrictEqual(
      pieSlices([1, 3]).map((slice) => slice.share),
      [0.25, 0.75]
    )
    assert.include(pieSlices([0, 5])[1]?.path, "A1 1 0 1 1 0 1")
    assert.deepStrictEqual(
      pieSlices([-1, 0]).map((slice) => slice.share),
      [0, 0]
    )
  })
})

describe("shownLabels", () => {
  it("thins out crowded labels evenly and keeps few ones", () => {
    assert.lengthOf(shownLabels(["Mon", "Tue", "Wed"]), 3)
    const shown = shownLabels(Array.from({ length: 100 }, (_, index) => `Label ${index}`))
    assert.isBelow(shown.length, 12)
    assert.strictEqual(shown[0], 0)
  })
})

describe("a place across the drawing", () => {
  it("belongs to the band under it, and beside all of them to the nearest", () => {
    const count = 7
    for (let index = 0; index < count; index += 1) {
      assert.strictEqual(bandAt(xOf(index, count, "band") / PLOT.width, count), index)
    }
    assert.strictEqual(bandAt(0, count), 0)
    assert.strictEqual(bandAt(1, count), count - 1)
  })
})

describe("a number on an axis", () => {
  it("has its unit, and is short", () => {
    assert.deepStrictEqual(
      [0, 0.0005, 0.5, 1234, 25_000, 1_200_000].map((value) => tickText(value, "$", "en")),
      ["$0", "$0.0005", "$0.50", "$1,230", "$25k", "$1.2M"]
    )
    assert.strictEqual(tickText(-5, "$", "en"), "-$5")
    assert.strictEqual(tickText(1500, "", "en"), "1,500")
  })
})

describe("barOutline", () => {
  it("goes from zero to the value, up or down, and is round only there", () => {
    assert.strictEqual(barOutline(10, 100, 20, 40), "M10 100V43Q10 40 13 40H27Q30 40 30 43V100Z")
    assert.strictEqual(barOutline(10, 100, 20, 140), "M10 100V137Q10 140 13 140H27Q30 140 30 137V100Z")
  })
  it("shows also nothing as a line", () => {
    assert.strictEqual(barOutline(10, 100, 20, 100), "M10 100V100Q10 99 11 99H29Q30 99 30 100V100Z")
  })
})

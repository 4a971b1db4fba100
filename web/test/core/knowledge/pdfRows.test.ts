import { assert, describe, it } from "@effect/vitest"
import {
  heightOf,
  mostSeen,
  pageAt,
  pageRows,
  pagesBetween,
  placeAt
} from "../../../src/core/knowledge/pdf/pageRows.ts"

const page = (height: number, width = 100) => ({ width, height })

/** Tops 10, 120, 180 and 290 at 100 %. */
const rows = pageRows([page(100), page(50), page(100, 300), page(100)], 1, 10)

describe("the rows of a document's pages", () => {
  it("stand one below the other with gaps all around, the widest page counting", () => {
    assert.deepStrictEqual(rows.tops, [10, 120, 180, 290])
    assert.strictEqual(rows.height, 400)
    assert.strictEqual(rows.width, 300)
    assert.deepStrictEqual(pageRows([page(100), page(50)], 2, 10).tops, [10, 220])
  })

  it("say which page begins last above a height", () => {
    assert.deepStrictEqual(
      [-5, 0, 10, 119, 120, 289, 290, 9_999].map((y) => pageAt(rows, y)),
      [0, 0, 0, 0, 1, 2, 3, 3]
    )
    assert.strictEqual(pageAt(pageRows([], 1, 10), 50), 0)
  })

  it("name every page that is seen, the nearest to the middle first", () => {
    assert.deepStrictEqual(pagesBetween(rows, 100, 300), [2, 1, 0, 3])
    assert.deepStrictEqual(pagesBetween(rows, 112, 118), [])
    assert.deepStrictEqual(pagesBetween(rows, -500, 5_000), [3, 2, 1, 0])
    assert.deepStrictEqual(pagesBetween(pageRows([], 1, 10), 0, 100), [])
  })

  it("name the page of which most is seen, of equals the first", () => {
    assert.strictEqual(mostSeen(rows, 0, 130), 0)
    assert.strictEqual(mostSeen(rows, 100, 300), 2)
    assert.strictEqual(mostSeen(pageRows([page(50), page(50), page(50)], 1, 10), 0, 130), 0)
    assert.strictEqual(mostSeen(rows, 112, 118), 0)
  })

  it("keep a place on a page whatever the zoom", () => {
    const place = placeAt(rows, 230)
    assert.deepStrictEqual(place, { index: 2, part: 0.5 })
    const twice = pageRows([page(100), page(50), page(100, 300), page(100)], 2, 10)
    assert.strictEqual(heightOf(twice, place), 330 + 100)
    assert.deepStrictEqual(placeAt(rows, 115), { index: 0, part: 1 })
  })
})

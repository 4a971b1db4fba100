import { assert, describe, it } from "@effect/vitest"
import { drawnIndexes, firstCards, sameCards, spacedCards } from "../../../src/core/board/drawnCards.ts"

const place = (index: number, height = 80) => ({ index, start: index * height, end: (index + 1) * height })

describe("the drawn cards of a column", () => {
  const sight = { startIndex: 20, endIndex: 24, overscan: 2, count: 100 }

  it("are those in sight and a few around them", () => {
    assert.deepStrictEqual(drawnIndexes(sight, -1), [18, 19, 20, 21, 22, 23, 24, 25, 26])
    assert.deepStrictEqual(drawnIndexes({ ...sight, count: 22, endIndex: 21 }, -1), [18, 19, 20, 21])
    assert.deepStrictEqual(drawnIndexes({ startIndex: 0, endIndex: 0, overscan: 5, count: 0 }, -1), [])
  })

  it("include the one that is kept, in its order", () => {
    assert.deepStrictEqual(drawnIndexes(sight, 3).slice(0, 2), [3, 18])
    assert.strictEqual(drawnIndexes(sight, 90).at(-1), 90)
    assert.strictEqual(drawnIndexes(sight, 22).length, 9)
    assert.strictEqual(drawnIndexes(sight, 100).length, 9)
  })

  it("leave the room of the others empty", () => {
    assert.deepStrictEqual(spacedCards([place(2), place(10), place(11)], 1600), [
      { index: 2, gap: 160, after: 0 },
      { index: 10, gap: 560, after: 0 },
      { index: 11, gap: 0, after: 640 }
    ])
    assert.deepStrictEqual(spacedCards([], 0), [])
  })

  it("are the first ones until something is measured", () => {
    assert.deepStrictEqual(firstCards(3, 2, 82), [
      { index: 0, gap: 0, after: 0 },
      { index: 1, gap: 0, after: 82 }
    ])
    assert.deepStrictEqual(firstCards(1, 10, 82), [{ index: 0, gap: 0, after: 0 }])
  })

  it("are the same when nothing is drawn differently", () => {
    const drawn = spacedCards([place(2), place(3)], 800)
    assert.isTrue(sameCards(drawn, spacedCards([place(2), place(3)], 800)))
    assert.isFalse(sameCards(drawn, spacedCards([place(2), place(3)], 880)))
    assert.isFalse(sameCards(drawn, spacedCards([place(2)], 800)))
  })
})

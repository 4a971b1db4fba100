import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { createTouchHold, edgeStep, type TouchHold, type TouchPoint } from "../../../src/core/board/TouchHold.ts"

let lifts: Array<readonly [card: string, point: TouchPoint]> = []
let hold: TouchHold<string>
const at = (x: number, y: number): TouchPoint => ({ x, y })

beforeEach(() => {
  vi.useFakeTimers()
  lifts = []
  hold = createTouchHold((card, point) => lifts.push([card, point]))
})
afterEach(() => vi.useRealTimers())

describe("a finger on a card", () => {
  it("lifts it after a rest, a small tremble included, and takes it along", () => {
    hold.down("a", at(10, 10))
    assert.isFalse(hold.moved(at(14, 14)))
    vi.advanceTimersByTime(349)
    assert.deepStrictEqual(lifts, [])
    vi.advanceTimersByTime(1)
    assert.deepStrictEqual(lifts, [["a", at(10, 10)]])
    assert.isTrue(hold.moved(at(200, 300)))
    assert.deepStrictEqual(hold.end(), { card: "a", point: at(200, 300) })
    assert.isNull(hold.lifted)
  })

  it("that moves on before scrolls and lifts nothing", () => {
    hold.down("a", at(10, 10))
    assert.isFalse(hold.moved(at(10, 19)))
    vi.advanceTimersByTime(1000)
    assert.isFalse(hold.moved(at(10, 90)))
    assert.deepStrictEqual(lifts, [])
    assert.isNull(hold.end())
  })

  it("that is taken away at once was a tap", () => {
    hold.down("a", at(10, 10))
    assert.isNull(hold.end())
    vi.advanceTimersByTime(1000)
    assert.deepStrictEqual(lifts, [])
  })

  it("that comes down anew starts its rest anew", () => {
    hold.down("a", at(10, 10))
    vi.advanceTimersByTime(300)
    hold.down("b", at(50, 50))
    vi.advanceTimersByTime(300)
    assert.deepStrictEqual(lifts, [])
    vi.advanceTimersByTime(50)
    assert.deepStrictEqual(lifts, [["b", at(50, 50)]])
  })
})

it("near an edge the board scrolls towards it, in the middle not at all", () => {
  assert.deepStrictEqual(
    [0, 55, 56, 500, 944, 945, 1000].map((x) => Math.sign(edgeStep(x, 0, 1000))),
    [-1, -1, 0, 0, 0, 1, 1]
  )
})

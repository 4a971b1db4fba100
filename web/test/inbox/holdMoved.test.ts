import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { createObservable } from "../../src/core/common/Observable.ts"
import { HOLD_MS, holdMoved } from "../../src/inbox/followEntries.ts"

const items = (...ids: ReadonlyArray<string>) => ids.map((id) => ({ id }))

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

describe("items under a finger", () => {
  it("are held for a moment when one takes another's place, not when one comes after them", () => {
    const open = createObservable(items("a", "b", "c"))
    const told: Array<boolean> = []
    const stop = holdMoved(open, (isHeld) => told.push(isHeld))
    open.set(items("a", "b", "c", "d"))
    assert.deepStrictEqual(told, [])
    open.set(items("b", "c", "d"))
    assert.deepStrictEqual(told, [true])
    vi.advanceTimersByTime(HOLD_MS - 1)
    open.set(items("x", "b", "c", "d"))
    vi.advanceTimersByTime(HOLD_MS - 1)
    assert.deepStrictEqual(told, [true, true], "the newest move counts")
    vi.advanceTimersByTime(1)
    assert.deepStrictEqual(told, [true, true, false])
    open.set(items("b"))
    stop()
    vi.advanceTimersByTime(HOLD_MS)
    assert.deepStrictEqual(told, [true, true, false, true])
  })
})

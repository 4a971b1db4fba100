import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { createObservable } from "../../src/core/common/Observable.ts"
import { followTypeAhead, takeTypedAhead } from "../../src/shell/typeAhead.ts"

describe("what is typed before the palette is there", () => {
  let keys = new EventTarget()
  beforeEach(() => {
    keys = new EventTarget()
    vi.stubGlobal("document", keys)
  })
  afterEach(() => vi.unstubAllGlobals())

  const overlay = () => {
    const shown = createObservable<string | null>(null)
    followTypeAhead(shown)
    return shown
  }
  /** Presses a key; whether anything held it. */
  const press = (key: string, fields: object = {}): boolean => {
    const event = Object.assign(new Event("keydown", { cancelable: true }), { key, ...fields })
    keys.dispatchEvent(event)
    return event.defaultPrevented
  }

  it("is held for its field, with corrections and Enter", () => {
    overlay().set("palette")
    for (const key of ["d", "a", "r", "l", "Backspace", "k", "é", "Enter"]) assert.isTrue(press(key), key)
    assert.deepStrictEqual(takeTypedAhead(), { text: "darké", isEntered: true })
    assert.isFalse(press("x"), "the field takes the keys itself")
    assert.deepStrictEqual(takeTypedAhead(), { text: "", isEntered: false })
  })

  it("leaves shortcuts and other overlays alone", () => {
    const shown = overlay()
    assert.isFalse(press("a"))
    shown.set("shortcuts")
    assert.isFalse(press("a"))
    shown.set("palette")
    assert.isFalse(press("k", { ctrlKey: true }))
    assert.isFalse(press("F5"))
  })

  it("Escape gives the request up, with all that was typed", () => {
    const shown = overlay()
    shown.set("palette")
    press("a")
    press("Escape")
    assert.isNull(shown.get())
    assert.isFalse(press("b"))
    assert.strictEqual(takeTypedAhead().text, "")
  })
})

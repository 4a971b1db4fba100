import { assert, describe, it } from "@effect/vitest"
import { menuKey } from "../../src/ui/menuKeys.ts"

const LABELS = ["Rename", "Reset", "Delete"]
const press = (key: string, focused: number, labels = LABELS) =>
  menuKey({ key, ctrlKey: false, metaKey: false, altKey: false }, focused, labels)

describe("menuKey", () => {
  it("walks round with the arrows and jumps with Home and End", () => {
    assert.strictEqual(press("ArrowDown", 2), 0)
    assert.strictEqual(press("ArrowDown", -1), 0)
    assert.strictEqual(press("ArrowUp", 0), 2)
    assert.strictEqual(press("ArrowUp", -1), 2)
    assert.strictEqual(press("Home", 2), 0)
    assert.strictEqual(press("End", 0), 2)
  })

  it("finds entries by their first letter, the next one each time", () => {
    assert.strictEqual(press("r", 0), 1)
    assert.strictEqual(press("R", 1), 0)
    assert.strictEqual(press("d", -1), 2)
    assert.isNull(press("x", 0))
  })

  it("is left by Escape and Tab, also when it is empty", () => {
    assert.strictEqual(press("Escape", 1), "close")
    assert.strictEqual(press("Tab", -1, []), "close")
    assert.isNull(press("ArrowDown", -1, []))
  })

  it("leaves the keys of buttons and of the browser alone", () => {
    assert.isNull(press("Enter", 0))
    assert.isNull(press(" ", 0))
    assert.isNull(menuKey({ key: "r", ctrlKey: true, metaKey: false, altKey: false }, 0, LABELS))
  })
})

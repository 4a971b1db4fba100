import { assert, describe, it } from "@effect/vitest"
import { guardComposing } from "../../src/shell/guardComposing.ts"

/** A press of a key on a page with the guard; what was heard of it, and whether the browser still acts. */
const press = (fields: { readonly key: string; readonly isComposing?: boolean; readonly keyCode?: number }) => {
  const page = new EventTarget()
  guardComposing(page)
  const heard: Array<string> = []
  for (const capture of [true, false]) page.addEventListener("keydown", ({ type }) => heard.push(type), { capture })
  const event = Object.assign(new Event("keydown", { cancelable: true }), { isComposing: false, keyCode: 0, ...fields })
  page.dispatchEvent(event)
  return { heard: heard.length, acts: !event.defaultPrevented }
}

describe("keys of an input method", () => {
  it.each(["Enter", "Escape", "ArrowDown", "Tab", "a"])("that are %s reach nothing on the page", (key) => {
    assert.strictEqual(press({ key, isComposing: true }).heard, 0)
    assert.strictEqual(press({ key, keyCode: 229 }).heard, 0, "as Safari sends the one that ends a word")
    assert.deepStrictEqual(press({ key, keyCode: 13 }), { heard: 2, acts: true })
  })

  it("still write, but close nothing", () => {
    assert.isTrue(press({ key: "Enter", keyCode: 229 }).acts)
    assert.isFalse(press({ key: "Escape", isComposing: true }).acts)
  })
})

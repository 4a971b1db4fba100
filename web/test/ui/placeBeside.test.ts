import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { placeBeside } from "../../src/ui/placeBeside.ts"

const VIEW = { width: 360, height: 640 }
const box = (left: number, top: number) => ({ left, top, width: 44, height: 44 })
const Side = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2000 }))

describe("placeBeside", () => {
  it("is below, its end at the anchor's end", () => {
    assert.deepStrictEqual(placeBeside(box(300, 10), { width: 200, height: 100 }, VIEW), {
      left: 144,
      top: 58,
      maxHeight: 574
    })
  })

  it("begins at the anchor where its end has no room, and is above where there is more room", () => {
    const at = placeBeside(box(8, 590), { width: 200, height: 100 }, VIEW)
    assert.strictEqual(at.left, 8)
    assert.strictEqual(at.top + 100, 586)
  })

  it.prop("is always inside the window", [Side, Side, Side, Side], ([left, top, width, height]) => {
    const anchor = box(left % (VIEW.width - 44), top % (VIEW.height - 44))
    const size = { width: width % (VIEW.width - 16), height }
    const at = placeBeside(anchor, size, VIEW)
    assert.isAtLeast(at.left, 8)
    assert.isAtMost(at.left + size.width, VIEW.width - 8)
    assert.isAtLeast(at.top, 8)
    assert.isAtMost(at.top + Math.min(height, at.maxHeight), VIEW.height - 8)
  })
})

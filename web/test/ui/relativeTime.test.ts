import { assert, describe, it } from "@effect/vitest"
import { duration, relativeTime } from "../../src/ui/relativeTime.ts"

const NOW = Date.UTC(2026, 10, 20, 12)
const ago = (ms: number) => relativeTime(NOW - ms, NOW, "en-GB")

describe("relativeTime", () => {
  it("changes its unit at each border", () => {
    assert.strictEqual(ago(-5_000), "now")
    assert.strictEqual(ago(59_999), "now")
    assert.strictEqual(ago(60_000), "1 min")
    assert.strictEqual(ago(3_599_999), "59 min")
    assert.strictEqual(ago(3_600_000), "1 h")
    assert.strictEqual(ago(86_400_000), "1 d")
    assert.strictEqual(ago(7 * 86_400_000), "13 Nov 2026")
  })
})

describe("duration", () => {
  it("shows tenths below ten seconds and minutes from sixty", () => {
    assert.strictEqual(duration(-20), "0.0 s")
    assert.strictEqual(duration(640), "0.6 s")
    assert.strictEqual(duration(9_999), "10.0 s")
    assert.strictEqual(duration(59_400), "59 s")
    assert.strictEqual(duration(125_000), "2 min 5 s")
  })
})

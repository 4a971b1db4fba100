import { assert, describe, it } from "@effect/vitest"
import { clockTime, duration, relativeTime } from "../../src/core/timeText.ts"

const NOW = new Date(2026, 10, 20, 12).getTime()
const ago = (ms: number) => relativeTime(NOW - ms, NOW, "en-GB")

describe("relativeTime", () => {
  it("changes its unit at each border and is now for what is not known", () => {
    assert.strictEqual(ago(59_999), "now")
    assert.strictEqual(ago(60_000), "1 min ago")
    assert.strictEqual(ago(3_600_000), "1 hr ago")
    assert.strictEqual(ago(86_400_000), "yesterday")
    assert.strictEqual(relativeTime(0, NOW, "en-GB"), "now")
  })
})

describe("clockTime", () => {
  it("names the day only when it is not today", () => {
    assert.strictEqual(clockTime(NOW - 3_600_000, NOW, "en-GB"), "11:00")
    assert.strictEqual(clockTime(NOW - 86_400_000, NOW, "en-GB"), "19 Nov, 12:00")
  })
})

describe("duration", () => {
  it("chooses the unit people would", () => {
    assert.strictEqual(duration(-20), "0 ms")
    assert.strictEqual(duration(640), "640 ms")
    assert.strictEqual(duration(4_210), "4.2 s")
    assert.strictEqual(duration(59_400), "59 s")
    assert.strictEqual(duration(125_000), "2 min 5 s")
    assert.strictEqual(duration(7_200_000), "2 h")
  })
})

import { assert, describe, it } from "@effect/vitest"
import { dayHeading, dayText, longDay, shortDay } from "../../../src/core/common/dateText.ts"
import {
  clockText,
  clockTime,
  duration,
  fullTime,
  isoTime,
  relativeTime,
  shortTime,
  timeLeft,
  workTime
} from "../../../src/core/common/timeText.ts"

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
    assert.strictEqual(clockTime(NOW - 86_400_000, NOW, "en-GB"), "Yesterday, 12:00")
    assert.strictEqual(clockTime(NOW - 2 * 86_400_000, NOW, "en-GB"), "18 Nov, 12:00")
    assert.strictEqual(clockTime(new Date(2025, 10, 20, 9, 5).getTime(), NOW, "en-GB"), "20 Nov 2025, 09:05")
    assert.strictEqual(clockTime(Number.NaN, NOW, "en-GB"), "")
  })
})

describe("days", () => {
  it("are named when they are near, and have a year when it is another one", () => {
    const day = (days: number) => dayText(NOW + days * 86_400_000, NOW, "en-GB")
    assert.deepStrictEqual([-1, 0, 1, 2, 60].map(day), ["yesterday", "today", "tomorrow", "22 Nov", "19 Jan 2027"])
  })

  it("are the same day in every zone when only the day is known", () => {
    assert.strictEqual(shortDay("2026-11-20", "en-GB"), "20 Nov")
    assert.strictEqual(longDay("2026-11-20", "en-GB"), "Friday 20 November")
    assert.strictEqual(longDay("some day", "en-GB"), "some day")
  })

  it("beside others are called by what they are from today", () => {
    const heading = (day: string) => dayHeading(day, NOW, "en-GB")
    assert.deepStrictEqual(["2026-11-20", "2026-11-19", "2026-11-18", "2025-12-31", "some day"].map(heading), [
      "Today",
      "Yesterday",
      "Wednesday 18 November",
      "Wednesday, 31 December 2025",
      "some day"
    ])
  })
})

describe("fullTime", () => {
  it("says the date in full, and nothing for a time nobody knows", () => {
    assert.strictEqual(fullTime(NOW, "en-GB"), "Friday, 20 November 2026 at 12:00")
    assert.strictEqual(fullTime(Number.NaN), "")
    assert.strictEqual(isoTime(Number.NaN), "")
  })
})

describe("duration", () => {
  it("chooses the unit people would", () => {
    assert.strictEqual(duration(-20), "0 ms")
    assert.strictEqual(duration(640), "640 ms")
    assert.strictEqual(duration(4_210), "4.2 s")
    assert.strictEqual(duration(59_400), "59 s")
    assert.strictEqual(duration(59_800), "1 min")
    assert.strictEqual(duration(119_700), "2 min")
    assert.strictEqual(duration(3_599_700), "1 h")
    assert.strictEqual(duration(125_000), "2 min 5 s")
    assert.strictEqual(duration(7_200_000), "2 h")
  })
})

describe("timeLeft", () => {
  it("counts minutes, rounded up, and the seconds of the last one", () => {
    assert.deepStrictEqual([900_000, 180_001, 60_001, 60_000, 59_001, 1, 0, -5].map(timeLeft), [
      "15 min",
      "4 min",
      "2 min",
      "60 s",
      "60 s",
      "1 s",
      "0 s",
      "0 s"
    ])
  })
})

describe("the page's clock", () => {
  const at = new Date(2026, 10, 20, 7, 39).getTime()
  const plain = (text: string) => text.replaceAll("\u202f", " ")

  it("has one form in a language, without a zero before a half day's hour", () => {
    assert.strictEqual(plain(shortTime(at, at, "en-US")), "7:39 AM")
    assert.strictEqual(plain(clockTime(at, at, "en-US")), "7:39 AM")
    assert.strictEqual(plain(clockText(19, 5, "en-US")), "7:05 PM")
    assert.strictEqual(plain(clockText(0, 0, "en-US")), "12:00 AM")
    assert.strictEqual(shortTime(at, at, "en-GB"), "07:39")
    assert.strictEqual(shortTime(at, at, "de-DE"), "07:39")
    assert.strictEqual(clockText(0, 0, "de"), "00:00")
  })

  it("says less than a second of work as that", () => {
    assert.strictEqual(workTime(72), "<1 s")
    assert.strictEqual(workTime(4_200), "4.2 s")
  })
})

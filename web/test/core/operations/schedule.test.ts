import { assert, describe, it } from "@effect/vitest"
import { Cron, Schema } from "effect"
import { momentText } from "../../../src/core/common/dateText.ts"
import { readCron } from "../../../src/core/operations/cronExpression.ts"
import { nextRunText } from "../../../src/core/operations/nextRunText.ts"
import { nextRuns, readSchedule } from "../../../src/core/operations/schedule.ts"
import { scheduleWords } from "../../../src/core/operations/scheduleWords.ts"

const NOW = Date.parse("2026-11-20T16:30:00Z")
const cron = (expression: string, zone: string | null = null) => ({ kind: "cron", expression, zone }) as const
const iso = (
  schedule: Parameters<typeof nextRuns>[0],
  options: { zone?: string; after?: number; count?: number } = {}
) => nextRuns(schedule, { zone: "UTC", after: NOW, count: 3, ...options }).map((at) => new Date(at).toISOString())

describe("the next runs", () => {
  it("follow the cron text in the zone of the schedule", () => {
    assert.deepStrictEqual(iso(cron("0 9 * * 1-5")), [
      "2026-11-23T09:00:00.000Z",
      "2026-11-24T09:00:00.000Z",
      "2026-11-25T09:00:00.000Z"
    ])
    assert.deepStrictEqual(iso(cron("0 9 * * *", "America/New_York"), { count: 1 }), ["2026-11-21T14:00:00.000Z"])
    assert.deepStrictEqual(iso(cron("0 9 * * *"), { zone: "Asia/Kathmandu", count: 1 }), ["2026-11-21T03:15:00.000Z"])
    assert.deepStrictEqual(iso(cron("0 0 29 2 *"), { count: 2 }), [
      "2028-02-29T00:00:00.000Z",
      "2032-02-29T00:00:00.000Z"
    ])
    assert.deepStrictEqual(iso(cron("0 0 30 2 *")), [])
  })

  it("take either of day and weekday where both are given", () => {
    assert.deepStrictEqual(iso(cron("0 0 13 * 5")), [
      "2026-11-27T00:00:00.000Z",
      "2026-12-04T00:00:00.000Z",
      "2026-12-11T00:00:00.000Z"
    ])
  })

  it("come once where clocks are set back, and after the gap where they jump", () => {
    const berlin = "Europe/Berlin"
    const back = Date.parse("2026-10-24T12:00:00Z")
    assert.deepStrictEqual(iso(cron("30 2 * * *", berlin), { after: back, count: 2 }), [
      "2026-10-25T00:30:00.000Z",
      "2026-10-26T01:30:00.000Z"
    ])
    const forward = Date.parse("2026-03-28T12:00:00Z")
    assert.deepStrictEqual(iso(cron("30 2 * * *", berlin), { after: forward, count: 2 }), [
      "2026-03-29T01:30:00.000Z",
      "2026-03-30T00:30:00.000Z"
    ])
  })

  it("of an interval keep its anchor, of a single time are that time or none", () => {
    const every = readSchedule({ kind: "every", everyMs: 3_600_000, anchorMs: NOW - 600_000 })
    assert.deepStrictEqual(iso(every, { count: 2 }), ["2026-11-20T17:20:00.000Z", "2026-11-20T18:20:00.000Z"])
    assert.deepStrictEqual(iso(readSchedule({ kind: "at", at: "2026-11-21T09:00:00Z" })), ["2026-11-21T09:00:00.000Z"])
    assert.deepStrictEqual(iso(readSchedule({ kind: "at", at: "2026-11-19T09:00:00Z" })), [])
    assert.deepStrictEqual(iso(readSchedule({ kind: "at", at: "soon" })), [])
    assert.deepStrictEqual(iso(readSchedule({ kind: "surprise" })), [])
    assert.deepStrictEqual(iso(cron("no schedule")), [])
    assert.deepStrictEqual(iso(cron("0 9 * * *"), { zone: "Mars/Olympus" }), [])
  })

  it("of rules without short words are found, too", () => {
    assert.deepStrictEqual(iso(cron("0 0 L * *"), { count: 2 }), [
      "2026-11-30T00:00:00.000Z",
      "2026-12-31T00:00:00.000Z"
    ])
    assert.deepStrictEqual(iso(cron("0 0 * * 5#2"), { count: 1 }), ["2026-12-11T00:00:00.000Z"])
  })

  const Draw = Schema.Struct({
    kind: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4 })),
    one: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999 })),
    other: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999 }))
  })

  /** A part of a cron text; a step over every day counts as a day given in one reader, as one left open in another. */
  const part = ({ kind, one, other }: typeof Draw.Type, min: number, max: number, steps: boolean): string => {
    const within = (value: number) => min + (value % (max - min + 1))
    const [low = min, high = max] = [within(one), within(other)].sort((a, b) => a - b)
    if (kind === 0) return "*"
    if (kind === 1 && steps) return `*/${2 + (one % 9)}`
    if (kind === 2) return `${low}-${high}`
    return kind === 3 ? `${low},${high}` : String(low)
  }

  it.prop(
    "are those another reader of cron texts finds",
    [Draw, Draw, Draw, Draw, Draw, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 600_000 }))],
    ([minute, hour, day, month, weekday, later]) => {
      const text = [
        part(minute, 0, 59, true),
        part(hour, 0, 23, true),
        part(day, 1, 28, false),
        part(month, 1, 12, true),
        part(weekday, 0, 6, false)
      ].join(" ")
      const after = NOW + later * 60_000
      const sequence = Cron.sequence(Cron.parseUnsafe(text, "UTC"), new Date(after))
      const expected = [sequence.next(), sequence.next()].map(({ value }) => value?.toISOString())
      assert.deepStrictEqual(iso(cron(text), { after, count: 2 }), expected, text)
    }
  )
})

describe("a cron text", () => {
  it("that is wrong names what is wrong", () => {
    const problem = (text: string) => {
      const reading = readCron(text)
      return reading.kind === "invalid" ? reading.problem : reading.kind
    }
    assert.match(problem("0 9 * *"), /^A cron expression has five parts/)
    assert.match(problem(""), /^A cron expression has five parts/)
    assert.strictEqual(problem("61 9 * * *"), "“61” isn't a valid minute.")
    assert.strictEqual(problem("0 24 * * *"), "“24” isn't a valid hour.")
    assert.strictEqual(problem("0 17-9 * * *"), "“17-9” goes backwards. Put the smaller number first.")
    assert.strictEqual(problem("0 9 * * mo nday"), "“mo” isn't a valid month.")
    assert.strictEqual(problem("0 9 * * __proto__"), "“__proto__” isn't a valid weekday.")
    for (const text of ["0 0 L * *", "0 0 15W * *", "0 0 * * 5#2", "0 0 * * 5L", "0 0 0 1 1 * 2027"])
      assert.strictEqual(problem(text), "special")
  })

  it("may use names, nicknames, seconds and Sunday as 7", () => {
    const weekdays = (text: string) => {
      const reading = readCron(text)
      return reading.kind === "fields" ? reading.fields.weekdays : reading.kind
    }
    assert.deepStrictEqual(weekdays("0 9 * jan-MAR mon,wed"), [1, 3])
    assert.deepStrictEqual(weekdays("0 9 * * 5-7"), [0, 5, 6])
    assert.deepStrictEqual(weekdays("@weekly"), [0])
    assert.deepStrictEqual(weekdays("30 0 9 * * 1"), [1])
  })
})

describe("a schedule in words", () => {
  const cases: ReadonlyArray<readonly [string, string]> = [
    ["0 9 * * *", "Every day at 09:00"],
    ["0 9 * * 1-5", "On weekdays at 09:00"],
    ["30 8,17 * * 0,6", "On weekends at 08:30 and 17:30"],
    ["0 9 * * 1", "Every Monday at 09:00"],
    ["0 9 * * 0,1,4", "On Mondays, Thursdays and Sundays at 09:00"],
    ["0 8 1 * *", "On the 1st of every month at 08:00"],
    ["0 8 1,15 1,7 *", "On the 1st and 15th of January and July at 08:00"],
    ["0 8 * 7 *", "Every day in July at 08:00"],
    ["0 0 13 * 5", "On the 13th of every month and every Friday at 00:00"],
    ["* * * * *", "Every minute"],
    ["*/15 * * * *", "Every 15 minutes"],
    ["*/15 9-17 * * 1-5", "Every 15 minutes from 09:00 to 17:45, on weekdays"],
    ["0 * * * *", "Every hour"],
    ["5 * * * *", "Every hour at minute 5"],
    ["0 */2 * * *", "Every 2 hours"],
    ["0 9-17 * * *", "Every hour from 09:00 to 17:00"],
    ["0 1,5,9,13,20 * * *", "Every day at 01:00, 05:00, 09:00, 13:00 and 20:00"],
    ["5,7 * * * *", "Every day at minutes 5 and 7 of every hour"],
    ["0 7-59/7 * * *", "Cron expression 0 7-59/7 * * *"],
    ["30 0 9 * * *", "Every day at 09:00, at second 30"],
    ["0 0 L * *", "Cron expression 0 0 L * *"]
  ]
  for (const [text, words] of cases)
    it(text, () => assert.strictEqual(scheduleWords(cron(text), "UTC", NOW, "en-GB"), words))

  it("has the clock that every other time of the page has", () => {
    const words = (locale: string) => scheduleWords(cron("0 9,15 * * *"), "UTC", NOW, locale).replaceAll("\u202f", " ")
    assert.strictEqual(words("en-US"), "Every day at 9:00 AM and 3:00 PM")
    assert.strictEqual(words("en-GB"), "Every day at 09:00 and 15:00")
  })

  it("names the year of a moment only if it isn't this one, in the moment's zone", () => {
    const eve = Date.parse("2026-12-31T23:30:00Z")
    assert.strictEqual(momentText(eve, "UTC", NOW, "en-GB"), "Thu 31 Dec, 23:30")
    assert.strictEqual(momentText(eve, "Europe/Berlin", NOW, "en-GB"), "Fri, 1 Jan 2027, 00:30")
  })

  it("counts how soon a job runs next, and names the day and time of one that is further away", () => {
    const next = (nextRunAt: number | null, enabled = true) => nextRunText({ enabled, nextRunAt }, NOW, "en-GB")
    assert.strictEqual(next(NOW + 20 * 60_000), "in 20 min")
    assert.match(next(NOW + 20 * 3_600_000) ?? "", /^tomorrow at \d\d:\d\d$/)
    assert.match(next(NOW + 3 * 86_400_000) ?? "", /^Mon \d\d:\d\d$/)
    assert.match(next(NOW + 8 * 86_400_000) ?? "", /^28 Nov, \d\d:\d\d$/)
    assert.strictEqual(next(NOW - 60_000), "now")
    assert.isNull(next(NOW, false))
    assert.isNull(next(null))
  })

  it("describes intervals and single times", () => {
    const words = (value: unknown) => scheduleWords(readSchedule(value), "Europe/Berlin", NOW, "en-GB")
    assert.strictEqual(words({ kind: "every", everyMs: 1_800_000 }), "Every 30 minutes")
    assert.strictEqual(words({ kind: "every", everyMs: 604_800_000 }), "Every week")
    assert.strictEqual(words({ kind: "every", everyMs: 90_500 }), "Every 1 min 31 s")
    assert.strictEqual(words({ kind: "at", at: "2026-11-21T08:00:00Z" }), "Once, Sat 21 Nov, 09:00")
    assert.strictEqual(words({ kind: "at", at: {} }), "Once, at an unknown time")
    assert.strictEqual(words({ kind: "surprise" }), "On a gateway schedule (surprise)")
  })
})

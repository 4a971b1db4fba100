import { fieldsOf, filledText, numberOf, textOf } from "../decode.ts"
import { type CronFields, readCron } from "./cronExpression.ts"
import { ZoneClock } from "./ZoneClock.ts"

/** When a job runs. `other` is a kind of schedule this console does not know. */
export type CronSchedule =
  | { readonly kind: "cron"; readonly expression: string; readonly zone: string | null }
  | { readonly kind: "every"; readonly everyMs: number; readonly anchorMs: number | null }
  /** `at` in epoch milliseconds, null where the gateway's text is no time. */
  | { readonly kind: "at"; readonly at: number | null }
  | { readonly kind: "other"; readonly name: string }

/** Reads the gateway's schedule object, or a plain cron expression. */
export const readSchedule = (value: unknown): CronSchedule => {
  if (typeof value === "string") return { kind: "cron", expression: value, zone: null }
  const fields = fieldsOf(value)
  const everyMs = numberOf(fields.everyMs)
  if (fields.kind === "cron" && typeof fields.expr === "string")
    return { kind: "cron", expression: fields.expr, zone: filledText(fields.tz) }
  if (fields.kind === "every" && everyMs !== null && everyMs > 0)
    return { kind: "every", everyMs, anchorMs: numberOf(fields.anchorMs) }
  if (fields.kind === "at") {
    const at = numberOf(fields.atMs) ?? Date.parse(textOf(fields.at) ?? "")
    return { kind: "at", at: Number.isFinite(at) ? at : null }
  }
  return { kind: "other", name: filledText(fields.kind) ?? "unknown" }
}

const DAY = 86_400_000
/** 29 February may be eight years away. */
const SEARCH_DAYS = 8 * 366 + 1
/** No zone moves its clocks by more at once. */
const LONGEST_JUMP = 3 * 3_600_000

const runsOn = (fields: CronFields, day: number): boolean => {
  const date = new Date(day)
  if (!fields.months.includes(date.getUTCMonth() + 1)) return false
  const byDay = fields.days.includes(date.getUTCDate())
  const byWeekday = fields.weekdays.includes(date.getUTCDay())
  // Where both are given, either is enough: the habit of cron.
  if (!fields.anyDay && !fields.anyWeekday) return byDay || byWeekday
  return byDay && byWeekday
}

const cronRuns = (fields: CronFields, clock: ZoneClock, after: number, count: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  const from = clock.naive(after)
  const firstDay = Math.floor((from - LONGEST_JUMP) / DAY) * DAY
  for (let index = 0; index < SEARCH_DAYS; index++) {
    const day = firstDay + index * DAY
    if (!runsOn(fields, day)) continue
    for (const hour of fields.hours) {
      for (const minute of fields.minutes) {
        for (const second of fields.seconds) {
          const naive = day + ((hour * 60 + minute) * 60 + second) * 1_000
          if (naive < from - LONGEST_JUMP) continue
          const at = clock.moment(naive)
          if (at <= after || at === found.at(-1)) continue
          found.push(at)
          if (found.length === count) return found
        }
      }
    }
  }
  return found
}

/**
 * The next moments a schedule means, in epoch milliseconds, at most `count`. `zone` holds where the schedule names none;
 * `createdAt` is where an interval without an anchor begins. Empty where nothing is due or only the gateway can tell.
 */
export const nextRuns = (
  schedule: CronSchedule,
  options: { readonly zone: string; readonly after: number; readonly count: number; readonly createdAt?: number }
): ReadonlyArray<number> => {
  const { zone, after, count } = options
  switch (schedule.kind) {
    case "at":
      return schedule.at !== null && schedule.at > after ? [schedule.at] : []
    case "every": {
      const anchor = schedule.anchorMs ?? options.createdAt ?? after
      const first = anchor + (Math.floor((after - anchor) / schedule.everyMs) + 1) * schedule.everyMs
      return Array.from({ length: count }, (_, index) => first + index * schedule.everyMs)
    }
    case "cron": {
      const reading = readCron(schedule.expression)
      const clock = ZoneClock.of(schedule.zone ?? zone)
      return reading.kind === "fields" && clock !== null ? cronRuns(reading.fields, clock, after, count) : []
    }
    case "other":
      return []
  }
}

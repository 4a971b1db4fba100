import { CronPattern } from "croner"
import { say } from "../language/say.ts"

/** The times a cron expression matches; every list is sorted. Weekdays count from Sunday = 0. */
export interface CronFields {
  readonly seconds: ReadonlyArray<number>
  readonly minutes: ReadonlyArray<number>
  readonly hours: ReadonlyArray<number>
  readonly days: ReadonlyArray<number>
  readonly months: ReadonlyArray<number>
  readonly weekdays: ReadonlyArray<number>
  /** The expression leaves the day of the month open. */
  readonly anyDay: boolean
  /** The expression leaves the weekday open. */
  readonly anyWeekday: boolean
}

/** `special` expressions (`L`, `W`, `#`, a year) are valid, but have no short description. */
export type CronReading =
  | { readonly kind: "fields"; readonly fields: CronFields }
  | { readonly kind: "special" }
  | { readonly kind: "invalid"; readonly problem: string }

const PARTS = [say("second"), say("minute"), say("hour"), say("day"), say("month"), say("weekday"), say("year")]
const HELP = say(
  "A cron expression has five parts: minute, hour, day of the month, month, weekday. For example 0 9 * * 1-5."
)

/** A weekday that matches every week of the month; other values are the "second Friday" or "last Friday" kind. */
const EVERY_WEEK = 63

/** The library's error in readable form. */
const problemOf = (complaint: string): string => {
  const [, name = "", value = ""] = /Invalid value for (\w+): (.*)/.exec(complaint) ?? []
  if (value !== "") return say("“{value}” isn't a valid {part}.", { value, part: name.replace("dayOfWeek", "weekday") })
  const [, range] = /From value is larger than to value: '(.*)'/.exec(complaint) ?? []
  if (range !== undefined) return say("“{range}” goes backwards. Put the smaller number first.", { range })
  const [, entry = "", text = ""] = /configuration entry (\d) \((.*)\) contains illegal/.exec(complaint) ?? []
  return text === ""
    ? HELP
    : say("“{value}” isn't a valid {part}.", { value: text, part: PARTS[Number(entry)] ?? say("part") })
}

/** The values that are set; `first` is the value of the first position. */
const values = (places: ReadonlyArray<number>, first = 0): ReadonlyArray<number> =>
  places.flatMap((place, index) => (place === 0 ? [] : [index + first]))

/** Reads a cron expression with the same library as the gateways, so that both mean the same. */
export const readCron = (expression: string): CronReading => {
  let pattern: CronPattern
  try {
    pattern = new CronPattern(expression.trim())
  } catch (reason) {
    return { kind: "invalid", problem: problemOf(reason instanceof Error ? reason.message : "") }
  }
  const isSpecial =
    pattern.lastDayOfMonth ||
    pattern.lastWeekday ||
    !pattern.starYear ||
    pattern.nearestWeekdays.some((place) => place !== 0) ||
    pattern.dayOfWeek.some((place) => place !== 0 && place !== EVERY_WEEK)
  if (isSpecial) return { kind: "special" }
  return {
    kind: "fields",
    fields: {
      seconds: values(pattern.second),
      minutes: values(pattern.minute),
      hours: values(pattern.hour),
      days: values(pattern.day, 1),
      months: values(pattern.month, 1),
      weekdays: values(pattern.dayOfWeek),
      anyDay: pattern.starDOM,
      anyWeekday: pattern.starDOW
    }
  }
}

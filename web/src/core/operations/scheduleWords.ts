import { momentText, monthName, weekdayName } from "../common/dateText.ts"
import { clockText, duration } from "../common/timeText.ts"
import { pageLanguage, say } from "../language/say.ts"

import { type CronFields, readCron } from "./cronExpression.ts"
import type { CronSchedule } from "./schedule.ts"
import { translatedCron, translatedInterval } from "./translatedSchedule.ts"

/** More times of day than this are described as a rule, not a list. */
const MAX_TIMES = 4

const two = (value: number) => String(value).padStart(2, "0")

/** `1`, `1 and 2`, `1, 2 and 3`. */
export const joined = (items: ReadonlyArray<string | number>): string =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`

/** `1st`, `2nd`, `23rd`. */
export const ordinal = (value: number): string => {
  const teen = value % 100 >= 11 && value % 100 <= 13
  return `${value}${teen ? "th" : (["th", "st", "nd", "rd"][value % 10] ?? "th")}`
}

/** The step from the start of the range that gives exactly these values; null if there is none. */
const stepOf = (values: ReadonlyArray<number>, size: number): number | null => {
  const step = size / values.length
  return Number.isInteger(step) && values.every((value, index) => value === index * step) ? step : null
}

const isRun = (values: ReadonlyArray<number>) => values.every((value, index) => value === (values[0] ?? 0) + index)

const everyN = (count: number, unit: string) => (count === 1 ? `every ${unit}` : `every ${count} ${unit}s`)

/** Writes a time of day. */
type Clock = (hour: number, minute: number) => string

/** The time of day: a list of times, or how often. */
const timeWords = (
  { minutes, hours }: CronFields,
  clock: Clock
): { readonly listed: boolean; readonly words: string } => {
  const everyHour = hours.length === 24
  if (!everyHour && minutes.length * hours.length <= MAX_TIMES) {
    const times = hours.flatMap((hour) => minutes.map((minute) => clock(hour, minute)))
    return { listed: true, words: `at ${joined(times)}` }
  }
  const [first = 0] = hours
  const last = hours.at(-1) ?? 0
  const step = stepOf(minutes, 60)
  const span = everyHour ? "" : ` from ${clock(first, minutes[0] ?? 0)} to ${clock(last, minutes.at(-1) ?? 0)}`
  if (minutes.length === 1) {
    const minute = minutes[0] ?? 0
    const past = minute === 0 ? "" : ` at minute ${minute}`
    const hourStep = stepOf(hours, 24)
    if (hourStep !== null) return { listed: false, words: `${everyN(hourStep, "hour")}${past}` }
    if (isRun(hours)) return { listed: false, words: `every hour${span}` }
    return { listed: true, words: `at ${joined(hours.map((hour) => clock(hour, minute)))}` }
  }
  if (step !== null && isRun(hours)) return { listed: false, words: `${everyN(step, "minute")}${span}` }
  const atMinutes = `at minutes ${joined(minutes)}`
  return { listed: true, words: `${atMinutes} of ${everyHour ? "every hour" : `hours ${joined(hours)}`}` }
}

const weekdayWords = (weekdays: ReadonlyArray<number>): string => {
  const key = weekdays.join()
  if (key === "1,2,3,4,5") return "on weekdays"
  if (key === "0,6") return "on weekends"
  const fromMonday = [...weekdays].sort((a, b) => ((a + 6) % 7) - ((b + 6) % 7)).map((day) => weekdayName(day, "en"))
  return weekdays.length === 1 ? `every ${fromMonday[0]}` : `on ${joined(fromMonday.map((name) => `${name}s`))}`
}

/** The days; empty for every day. */
const dayWords = ({ days, weekdays, months, anyDay, anyWeekday }: CronFields): string => {
  const named = joined(months.map((month) => monthName(`2026-${two(month)}-01`, "en")))
  const inMonths = months.length === 12 ? "" : ` in ${named}`
  const ofMonth = `on the ${joined(days.map(ordinal))} of ${months.length === 12 ? "every month" : named}`
  if (anyDay && anyWeekday) return inMonths === "" ? "" : `every day${inMonths}`
  if (anyWeekday) return ofMonth
  if (anyDay) return `${weekdayWords(weekdays)}${inMonths}`
  return `${ofMonth} and ${weekdayWords(weekdays)}${inMonths}`
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const cronWords = (expression: string, locale: string | undefined): string => {
  const reading = readCron(expression)
  if (reading.kind !== "fields") return say("Cron expression {expression}", { expression })
  if (pageLanguage !== "en")
    return translatedCron(reading.fields, locale) ?? say("Cron expression {expression}", { expression })
  const { seconds } = reading.fields
  if (seconds.length > 1) return say("Cron expression {expression}", { expression })
  const { listed, words } = timeWords(reading.fields, (hour, minute) => clockText(hour, minute, locale))
  const days = dayWords(reading.fields)
  const all = listed ? `${days === "" ? "every day" : days} ${words}` : `${words}${days === "" ? "" : `, ${days}`}`
  return capital(seconds[0] === 0 ? all : `${all}, at second ${seconds[0]}`)
}

const UNITS: ReadonlyArray<readonly [string, number]> = [
  ["week", 604_800_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000]
]

const everyWords = (everyMs: number): string => {
  const [unit, size] = UNITS.find(([, size]) => everyMs % size === 0) ?? []
  if (pageLanguage !== "en")
    return unit === undefined || size === undefined
      ? say("At intervals of {time}", { time: duration(everyMs) })
      : translatedInterval(everyMs / size, unit)
  return capital(unit === undefined || size === undefined ? `every ${duration(everyMs)}` : everyN(everyMs / size, unit))
}

/** A schedule in a sentence without its zone, such as "On weekdays at 09:00". */
export const scheduleWords = (schedule: CronSchedule, zone: string, now = Date.now(), locale?: string): string => {
  switch (schedule.kind) {
    case "cron":
      return cronWords(schedule.expression, locale)
    case "every":
      return everyWords(schedule.everyMs)
    case "at":
      return schedule.at === null
        ? say("Once, at an unknown time")
        : say("Once, {at}", { at: momentText(schedule.at, zone, now, locale) })
    case "other":
      return say("On a gateway schedule ({name})", { name: schedule.name })
  }
}

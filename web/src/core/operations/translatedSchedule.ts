import { weekdayName } from "../common/dateText.ts"
import { listInSentence } from "../common/phrases.ts"
import { clockText } from "../common/timeText.ts"
import { pageLocale, say } from "../language/say.ts"
import type { CronFields } from "./cronExpression.ts"

/** More times of day than this aren't listed. */
const MAX_TIMES = 4

/** The step from zero that gives exactly these values of a whole; null if there is none. */
const stepOf = (values: ReadonlyArray<number>, size: number): number | null => {
  const step = size / values.length
  return Number.isInteger(step) && values.every((value, index) => value === index * step) ? step : null
}

/** How often, such as "At intervals of 30 minutes". */
export const translatedInterval = (count: number, unit: string): string =>
  say("At intervals of {time}", {
    time: new Intl.NumberFormat(pageLocale, { style: "unit", unit, unitDisplay: "long" }).format(count)
  })

/**
 * The usual schedules in the page's language, each as a sentence of its own, since their parts can't be put together in
 * every language as they are in English; null for any other.
 */
export const translatedCron = (fields: CronFields, locale?: string): string | null => {
  const { anyDay, anyWeekday, days, hours, minutes, months, seconds, weekdays } = fields
  if (seconds.length !== 1 || seconds[0] !== 0 || months.length !== 12) return null
  const isEveryDay = anyDay && anyWeekday
  const minuteStep = stepOf(minutes, 60)
  const hourStep = stepOf(hours, 24)
  if (isEveryDay && hours.length === 24 && minuteStep !== null && minutes.length > 1)
    return translatedInterval(minuteStep, "minute")
  if (isEveryDay && minutes.length === 1 && minutes[0] === 0 && hourStep !== null && hours.length > 1)
    return translatedInterval(hourStep, "hour")
  if (minutes.length * hours.length > MAX_TIMES) return null
  const times = listInSentence(hours.flatMap((hour) => minutes.map((minute) => clockText(hour, minute, locale))))
  if (isEveryDay) return say("Every day at {times}", { times })
  if (anyWeekday) return say("Every month on day {days} at {times}", { days: listInSentence(days.map(String)), times })
  if (!anyDay) return null
  switch (weekdays.join()) {
    case "1,2,3,4,5":
      return say("On weekdays at {times}", { times })
    case "0,6":
      return say("On weekends at {times}", { times })
    default:
      return say("{day} at {time}", {
        day: listInSentence(weekdays.toSorted((a, b) => ((a + 6) % 7) - ((b + 6) % 7)).map((one) => weekdayName(one))),
        time: times
      })
  }
}

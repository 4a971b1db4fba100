import { pageLocale } from "../language/pageLocale.ts"
import type { CronJob } from "./cronJobs.ts"

const MS_PER_MINUTE = 60_000
const MS_PER_HOUR = 60 * MS_PER_MINUTE
const MS_PER_DAY = 24 * MS_PER_HOUR

/** How soon something is, such as "in 12 min", "in 27 hr" or "in 12 days": always a number, so that it follows "next". */
export const soonText = (at: number, now: number, locale: string = pageLocale): string => {
  const later = at - now
  const [unit, size] =
    later >= 2 * MS_PER_DAY
      ? (["day", MS_PER_DAY] as const)
      : later >= MS_PER_HOUR
        ? (["hour", MS_PER_HOUR] as const)
        : (["minute", MS_PER_MINUTE] as const)
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "always", style: "short" })
  return format.format(Math.max(0, Math.trunc(later / size)), unit)
}

/** When a job runs next; null if it won't. */
export const nextRunText = (
  { enabled, nextRunAt }: Pick<CronJob, "enabled" | "nextRunAt">,
  now: number,
  locale?: string
): string | null => (enabled && nextRunAt !== null ? soonText(nextRunAt, now, locale) : null)

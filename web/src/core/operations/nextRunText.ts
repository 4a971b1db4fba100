import { isSoon, soonText } from "../common/dateText.ts"
import type { CronJob } from "./cronJobs.ts"

/**
 * When a job runs next, such as "in 12 min"; null if it won't, or if its schedule says the same: the date of a job that
 * runs once is told again only as a span, within a day.
 */
export const nextRunText = (
  { enabled, nextRunAt, schedule }: Pick<CronJob, "enabled" | "nextRunAt" | "schedule">,
  now: number,
  zone: string,
  locale?: string
): string | null => {
  if (!enabled || nextRunAt === null) return null
  if (schedule.kind === "at" && schedule.at === nextRunAt && !isSoon(nextRunAt, now)) return null
  return soonText(nextRunAt, now, zone, locale)
}

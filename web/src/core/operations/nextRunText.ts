import { soonText } from "../common/dateText.ts"
import { relativeTime } from "../common/timeText.ts"
import type { CronJob } from "./cronJobs.ts"

/**
 * When a job runs next, such as "in 12 min"; null if it won't. The date of a job that runs once stands in its schedule,
 * so only how far off that is.
 */
export const nextRunText = (
  { enabled, nextRunAt, schedule }: Pick<CronJob, "enabled" | "nextRunAt" | "schedule">,
  now: number,
  zone: string,
  locale?: string
): string | null => {
  if (!enabled || nextRunAt === null) return null
  return schedule.kind === "at" && schedule.at === nextRunAt
    ? relativeTime(nextRunAt, now, locale)
    : soonText(nextRunAt, now, zone, locale)
}

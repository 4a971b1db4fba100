import { relativeTime } from "../common/timeText.ts"
import type { CronJob } from "./cronJobs.ts"

/** When a job runs next, such as "in 12 min" or "in 3 days"; null if it won't. */
export const nextRunText = (
  { enabled, nextRunAt }: Pick<CronJob, "enabled" | "nextRunAt">,
  now: number,
  locale?: string
): string | null => (enabled && nextRunAt !== null ? relativeTime(nextRunAt, now, locale) : null)

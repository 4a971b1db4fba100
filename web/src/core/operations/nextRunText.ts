import { whenText } from "../common/dateText.ts"
import type { CronJob } from "./cronJobs.ts"

/** When a job runs next; null if it won't. */
export const nextRunText = (
  { enabled, nextRunAt }: Pick<CronJob, "enabled" | "nextRunAt">,
  now: number,
  locale?: string
): string | null => (enabled && nextRunAt !== null ? whenText(Math.max(nextRunAt, now), now, locale) : null)

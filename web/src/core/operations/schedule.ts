import { Cron } from "croner"
import { fieldsOf, filledText, numberOf, textOf } from "../../../../src/contract/looseFields.ts"

/** When a job runs. `other` is a kind of schedule this console doesn't know. */
export type CronSchedule =
  | { readonly kind: "cron"; readonly expression: string; readonly zone: string | null }
  | { readonly kind: "every"; readonly everyMs: number; readonly anchorMs: number | null }
  /** `at` in epoch milliseconds, null if the gateway's text isn't a time. */
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

/**
 * The next times of a schedule, in epoch milliseconds, at most `count`. `zone` applies if the schedule names none;
 * `createdAt` is where an interval without an anchor starts. Empty if nothing is due, or the expression or zone can't
 * be read.
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
    case "cron":
      try {
        const cron = new Cron(schedule.expression, { paused: true, timezone: schedule.zone ?? zone })
        return cron.nextRuns(count, new Date(after)).map((run) => run.getTime())
      } catch {
        return []
      }
    case "other":
      return []
  }
}

import type { Routine } from "../../../../src/contract/schema/routine.ts"
import { nextRuns } from "./schedule.ts"

/**
 * When a recurring card comes next. The server's own time comes first: where it reads a schedule otherwise than the
 * page does, such as a day of the month together with a weekday, only that time is known.
 */
export const routineTimes = (
  { nextAt, schedule: { cron, zone } }: Pick<Routine, "nextAt" | "schedule">,
  now: number,
  count: number
): ReadonlyArray<number> => {
  if (nextAt === undefined) return []
  const times = nextRuns({ kind: "cron", expression: cron, zone }, { zone, after: now, count })
  return nextAt <= now || times[0] === nextAt ? times : [nextAt]
}

import { Result } from "effect"
import type { CreateRoutine, PatchRoutine, Routine } from "../../../contract/schema/routine.ts"
import { timeAfter, timeUpTo } from "../../../contract/schema/routineTimes.ts"
import type { CreateTask } from "../../../contract/schema/taskInputs.ts"
import { localDate } from "../../platform/localDate.ts"
import { optionalEntry } from "../../platform/optionalEntry.ts"
import { RoutineConflict } from "../boardErrors.ts"
import type { StoredRoutine } from "../store/routineStore.ts"

/** A routine as it's sent. */
export const sentRoutine = ({ made: _, ...routine }: StoredRoutine): Routine => routine

/** A new routine; `zone` applies if the request names none. */
export const createRoutine = (
  { enabled = true, schedule: { cron, zone: named }, skipWhileOpen = true, ...input }: CreateRoutine,
  { id, now, zone }: { readonly id: string; readonly now: number; readonly zone: string }
): StoredRoutine => {
  const schedule = { cron, zone: named ?? zone }
  return {
    ...input,
    id,
    schedule,
    enabled,
    skipWhileOpen,
    ...optionalEntry("nextAt", enabled ? timeAfter(schedule, now) : undefined),
    version: 1,
    made: 0
  }
}

/** Applies a patch to the version it's based on; another schedule, and a routine switched on, count from now. */
export const patchRoutine = (
  before: StoredRoutine,
  { schedule: changed, version, ...changes }: PatchRoutine,
  now: number
): Result.Result<StoredRoutine, RoutineConflict> => {
  if (version !== before.version) return Result.fail(new RoutineConflict({ latest: sentRoutine(before) }))
  const { nextAt, ...kept } = { ...before, ...changes, version: version + 1 }
  const schedule = { ...before.schedule, ...changed }
  const isSame = schedule.cron === before.schedule.cron && schedule.zone === before.schedule.zone
  const next = isSame && before.enabled ? nextAt : timeAfter(schedule, now)
  return Result.succeed({ ...kept, schedule, ...optionalEntry("nextAt", kept.enabled ? next : undefined) })
}

/** The time a routine is due for: the last one that has passed, so that a time switched off is made up once. */
export const dueTime = ({ nextAt, schedule }: StoredRoutine, now: number): number | undefined =>
  nextAt === undefined || nextAt > now ? undefined : Math.max(nextAt, timeUpTo(schedule, now) ?? nextAt)

/** The same routine, due at the first time after this one. */
export const afterTime = ({ nextAt: _, ...routine }: StoredRoutine, time: number): StoredRoutine => ({
  ...routine,
  ...optionalEntry("nextAt", timeAfter(routine.schedule, time))
})

/** The same routine after it has made a card. */
export const withCard = (routine: StoredRoutine, lastTaskId: string): StoredRoutine => ({
  ...routine,
  lastTaskId,
  made: routine.made + 1
})

const MAX_TITLE = 500

/** `YYYY-MM-DD` in a zone. */
const dateText = (zone: string, time: number): string => {
  const { day, month, year } = localDate(time, zone)
  return [String(year).padStart(4, "0"), String(month).padStart(2, "0"), String(day).padStart(2, "0")].join("-")
}

/** The next card of a routine, for a time. */
export const cardFor = ({ made, schedule, task }: StoredRoutine, time: number): CreateTask => {
  const title = task.title
    .replaceAll("{date}", () => dateText(schedule.zone, time))
    .replaceAll("{n}", () => String(made + 1))
  return { ...task, title: title.length <= MAX_TITLE ? title : Array.from(title).slice(0, MAX_TITLE).join("") }
}

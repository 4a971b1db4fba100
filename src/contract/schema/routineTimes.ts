import { Cron, Result } from "effect"

/** When a routine is due: a cron expression of five fields, in the local time of a zone. */
export interface RoutineSchedule {
  readonly cron: string
  readonly zone: string
}

const FIELDS = 5
const MAX_LENGTH = 200

const timesOf = ({ cron, zone }: RoutineSchedule): Cron.Cron | undefined =>
  cron.length <= MAX_LENGTH && cron.trim().split(/\s+/).length === FIELDS
    ? Result.getOrUndefined(Cron.parse(cron, zone))
    : undefined

/** The library throws where no day matches, such as 30 February. */
const found = (search: () => Date): number | undefined =>
  Result.getOrUndefined(Result.map(Result.try(search), (time) => time.getTime()))

/**
 * The first time after a moment; undefined if there's none. A local time that a clock change skips comes right after the
 * change, and one that it repeats comes the first time only.
 */
export const timeAfter = (schedule: RoutineSchedule, moment: number): number | undefined => {
  const times = timesOf(schedule)
  return times === undefined ? undefined : found(() => Cron.next(times, moment))
}

/** The last time up to a moment. */
export const timeUpTo = (schedule: RoutineSchedule, moment: number): number | undefined => {
  const times = timesOf(schedule)
  return times === undefined ? undefined : found(() => Cron.prev(times, moment + 1))
}

/** Whether an expression has five fields and is ever due. */
export const isRoutineCron = (cron: string): boolean => timeAfter({ cron, zone: "UTC" }, 0) !== undefined

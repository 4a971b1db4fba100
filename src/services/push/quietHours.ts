import { DateTime, Option } from "effect"
import type { QuietHours } from "../../contract/schema/push.ts"

const MINUTE_MS = 60_000

interface WallTime {
  readonly hour: number
  readonly minute: number
}

/** Reads `HH:MM`. */
const wallTime = (text: string): WallTime => {
  const [hour = 0, minute = 0] = text.split(":").map(Number)
  return { hour, minute }
}

const minutesOf = ({ hour, minute }: WallTime): number => hour * 60 + minute

/**
 * Returns the end of the quiet hours that contain `now`, in epoch milliseconds; `undefined` outside them. They include
 * `from` and exclude `to`; `to` before `from` spans midnight.
 */
export const quietUntil = (now: number, quiet: QuietHours | undefined): number | undefined => {
  const zone = quiet === undefined ? Option.none() : DateTime.zoneMakeNamed(quiet.zone)
  if (quiet === undefined || Option.isNone(zone)) return undefined
  const local = DateTime.makeZonedUnsafe(now, { timeZone: zone.value })
  const { hour, minute } = DateTime.toParts(local)
  const time = minutesOf({ hour, minute })
  const end = wallTime(quiet.to)
  const from = minutesOf(wallTime(quiet.from))
  const to = minutesOf(end)
  const isQuiet = from < to ? from <= time && time < to : from > to && (from <= time || time < to)
  if (!isQuiet) return undefined
  const endsToday = DateTime.setParts(local, { ...end, second: 0, millisecond: 0 })
  const ends = DateTime.toEpochMillis(time < to ? endsToday : DateTime.add(endsToday, { days: 1 }))
  // When clocks are set back, an end in the repeated hour may appear to be in the past.
  return ends > now ? ends : now + MINUTE_MS
}

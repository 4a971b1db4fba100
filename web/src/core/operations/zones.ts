import { Cron } from "croner"

/**
 * The moment, in epoch milliseconds, at which a zone's local time is a value such as `2026-11-20T16:30:00`: the first
 * of two when clocks are set back, and shifted by the jump when the time is skipped. Null for an unreadable time or
 * one in the past.
 */
export const momentOf = (wall: string, zone: string): number | null => {
  try {
    return new Cron(wall, { paused: true, timezone: zone }).nextRun()?.getTime() ?? null
  } catch {
    return null
  }
}

/** The zones a browser knows, the given ones first; each once. */
export const zoneNames = (...first: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set([...first.filter((zone) => zone !== ""), "UTC", ...Intl.supportedValuesOf("timeZone")])
]

import { Cron, DateTime, Option, Result } from "effect"
import { shownValue } from "../client/refusedParams.ts"

const NICKNAME = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$/i
/** Fields without the symbols (`L`, `W`, `#`, `?`) that only the gateway can validate. */
const PLAIN = /^[\d*,/\s-]+$/

const expressionFault = (expression: string): string | undefined => {
  const text = expression.trim()
  if (NICKNAME.test(text)) return undefined
  const parts = text === "" ? [] : text.split(/\s+/)
  const fits = parts.length >= 5 && parts.length <= 7
  const judged = fits && parts.length <= 6 && PLAIN.test(text)
  return fits && !(judged && Result.isFailure(Cron.parse(text)))
    ? undefined
    : "must be a cron expression, such as 0 9 * * *"
}

const zoneFault = (zone: unknown): string | undefined =>
  zone === undefined || (typeof zone === "string" && Option.isSome(DateTime.zoneMakeNamed(zone)))
    ? undefined
    : "must have an IANA time zone in tz, such as Europe/Berlin"

/** A schedule as people or the gateway write it: a cron expression, or the gateway's object. */
export type ScheduleInput = string | Readonly<Record<string, unknown>>

/**
 * What's wrong with a schedule; `undefined` if it's fine. Checked before it's sent, because older gateways store what
 * they then reject. Schedules of newer gateways that aren't times are left to them.
 */
export const scheduleFault = (schedule: ScheduleInput): string | undefined => {
  if (typeof schedule === "string") return expressionFault(schedule)
  switch (schedule.kind) {
    case "cron":
      return (
        (typeof schedule.expr === "string" ? expressionFault(schedule.expr) : "must have expr") ??
        zoneFault(schedule.tz)
      )
    case "every":
      return Number.isSafeInteger(schedule.everyMs) && Number(schedule.everyMs) > 0
        ? undefined
        : "must have everyMs, a whole number of milliseconds above 0"
    case "at":
      return typeof schedule.at === "string" && !Number.isNaN(Date.parse(schedule.at))
        ? undefined
        : "must have at, an ISO time such as 2027-01-31T09:00:00Z"
    case "on-exit":
    case "stream":
      return undefined
    default:
      return `must be a cron expression or have a kind: cron, every or at, not ${shownValue(schedule.kind)}`
  }
}

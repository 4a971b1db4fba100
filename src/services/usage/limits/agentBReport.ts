import { DateTime, Option } from "effect"
import type { AgentBLimits } from "../../../contract/schema/usage.ts"
import { percent } from "./limitReport.ts"

const ESCAPE = "\\u001b"
/** Colours, cursor movements and window titles in a terminal program's output. */
const TERMINAL = new RegExp(`${ESCAPE}(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^\\u0007]*\\u0007|[@-_])`, "g")

const SESSION_TITLE = /current session/i
const WEEK_TITLE = /current week(?: \(all models\))?/i
const NEXT_TITLE = /\n\s*(?:current|extra|esc|your)\b/i
const USED = /(\d+(?:\.\d+)?)\s*%\s*(used|left|remaining)/i
const RESETS = /\bresets?\s+(?:at\s+|on\s+|in\s+)?([^\n]+)/i

const TIME = /(\d{1,2})(?::(\d{2}))?\s*(am|pm)?/i
const DATE = /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(\d{1,2})\b/i
const ZONE = /\(([^)]+)\)/
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
const NOON = 12

const hourOf = (hour: number, half: string | undefined): number => {
  if (half === undefined) return hour
  return (hour % NOON) + (half.toLowerCase() === "pm" ? NOON : 0)
}

/**
 * The next moment that a text such as `3:59pm (Europe/Berlin)` or `Nov 24 at 9am (UTC)` names, in epoch milliseconds;
 * without a zone, the given one applies. `undefined` if there is none.
 */
export const resetTime = (raw: string, now: number, ownZone: string): number | undefined => {
  const zone = DateTime.zoneFromString(ZONE.exec(raw)?.[1]?.trim() ?? ownZone)
  if (Option.isNone(zone)) return undefined
  const words = raw.replace(ZONE, "")
  const date = DATE.exec(words)
  const time = TIME.exec(date === null ? words : words.replace(DATE, ""))
  if (time === null && date === null) return undefined
  const hour = hourOf(Number(time?.[1] ?? 0), time?.[3])
  const minute = Number(time?.[2] ?? 0)
  if (hour > 23 || minute > 59) return undefined
  const here = DateTime.makeZoned(now, { timeZone: zone.value })
  if (Option.isNone(here)) return undefined
  const today = DateTime.toParts(here.value)
  const month = date === null ? today.month : MONTHS.indexOf((date[1] ?? "").toLowerCase()) + 1
  const day = date === null ? today.day : Number(date[2])
  const at = (year: number, dayOfMonth: number) =>
    DateTime.makeZoned(
      { year, month, day: dayOfMonth, hour, minute, second: 0, millisecond: 0 },
      { timeZone: zone.value, adjustForTimeZone: true }
    )
  const first = at(today.year, day)
  if (Option.isNone(first)) return undefined
  if (DateTime.toEpochMillis(first.value) > now) return DateTime.toEpochMillis(first.value)
  const later = date === null ? at(today.year, day + 1) : at(today.year + 1, day)
  return Option.isNone(later) ? undefined : DateTime.toEpochMillis(later.value)
}

const section = (text: string, title: RegExp): string | undefined => {
  const found = title.exec(text)
  if (found === null) return undefined
  const rest = text.slice(found.index + found[0].length)
  const end = NEXT_TITLE.exec(rest)
  return end === null ? rest : rest.slice(0, end.index)
}

const windowOf = (part: string | undefined, now: number, ownZone: string): AgentBLimits["session_limit"] => {
  const found = part === undefined ? null : USED.exec(part)
  if (part === undefined || found === null) return null
  const told = percent(Number(found[1]))
  const used = found[2]?.toLowerCase() === "used" ? told : 100 - told
  const raw = RESETS.exec(part)?.[1]?.trim() ?? ""
  return {
    used_percent: used,
    left_percent: 100 - used,
    resets_at_epoch: raw === "" ? null : (resetTime(raw, now, ownZone) ?? null),
    resets_at_raw: raw
  }
}

/** Reads the limits from the tool's text, whatever colours and bars are in it; `undefined` if there are none. */
export const parseAgentBOutput = (output: string, now: number, ownZone: string): AgentBLimits | undefined => {
  const text = output.replace(TERMINAL, "").replaceAll("\r", "\n")
  const session = windowOf(section(text, SESSION_TITLE), now, ownZone)
  const week = windowOf(section(text, WEEK_TITLE), now, ownZone)
  return session === null && week === null ? undefined : { available: true, session_limit: session, weekly_limit: week }
}

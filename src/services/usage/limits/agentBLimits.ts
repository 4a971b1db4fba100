import { Clock, DateTime, Effect, Option } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { failure } from "../../../contract/failures.ts"
import type { AgentBLimits } from "../../../contract/schema/usage.ts"
import { childCommand } from "../../platform/process/childCommand.ts"
import type { SettingsShape } from "../../platform/settings/Settings.ts"
import { percent, unavailable } from "./limitReport.ts"

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
export const resetTime = (raw: string, now: number, localZone: string): number | undefined => {
  const zone = DateTime.zoneFromString(ZONE.exec(raw)?.[1]?.trim() ?? localZone)
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

const windowOf = (part: string | undefined, now: number, localZone: string): AgentBLimits["session_limit"] => {
  const found = part === undefined ? null : USED.exec(part)
  if (part === undefined || found === null) return null
  const percentage = percent(Number(found[1]))
  const used = found[2]?.toLowerCase() === "used" ? percentage : 100 - percentage
  const raw = RESETS.exec(part)?.[1]?.trim() ?? ""
  return {
    used_percent: used,
    left_percent: 100 - used,
    resets_at_epoch: raw === "" ? null : (resetTime(raw, now, localZone) ?? null),
    resets_at_raw: raw
  }
}

/** Reads the limits from the tool's text, whatever colours and bars are in it; `undefined` if there are none. */
export const parseAgentBOutput = (output: string, now: number, localZone: string): AgentBLimits | undefined => {
  const text = output.replace(TERMINAL, "").replaceAll("\r", "\n")
  const session = windowOf(section(text, SESSION_TITLE), now, localZone)
  const week = windowOf(section(text, WEEK_TITLE), now, localZone)
  return session === null && week === null ? undefined : { available: true, session_limit: session, weekly_limit: week }
}

/** How long the tool may run before it's killed. */
const TOOL_LIMIT = "20 seconds"
/** How long it may take to stop after being asked to. */
const GRACE = "1 second"
const ARGUMENTS = ["-p", "/usage"]

const MISSING = unavailable(failure("AGENT_B_MISSING"))
const TOO_SLOW = unavailable(failure("AGENT_B_TIMED_OUT"))
const SILENT = unavailable(failure("AGENT_B_NO_LIMITS"))

/** Runs agent B's own tool and reads the limits from its output. */
export const readAgentBLimits = Effect.fn("readAgentBLimits")(function* (settings: SettingsShape) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const command = yield* childCommand(settings.agentBCommand, ARGUMENTS, {
    needs: ["agentB", "network"],
    set: { NO_COLOR: "1", TERM: "dumb" },
    stdin: "ignore",
    forceKillAfter: GRACE,
    cwd: settings.svcHome
  })
  const now = yield* Clock.currentTimeMillis
  const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return yield* spawner.string(command).pipe(
    Effect.map((output) => parseAgentBOutput(output, now, localZone) ?? SILENT),
    Effect.timeoutOrElse({ duration: TOOL_LIMIT, orElse: () => Effect.succeed(TOO_SLOW) }),
    Effect.orElseSucceed(() => MISSING)
  )
})

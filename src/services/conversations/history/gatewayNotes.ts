import { type Fields, fieldsOf, filledText, textOf } from "../../../contract/looseFields.ts"

/** Something the gateway added to a conversation, and who it is from. */
export type Note = {
  readonly from: { readonly code: NoteCode } | { readonly name: string }
} & ({ readonly text: string } | { readonly code: NoteCode })

/** Who a note is from when that has no name, and what it says when that's no text of anybody. */
export type NoteCode = "GATEWAY" | "SCHEDULED_JOB" | "OTHER_SESSION" | "TOO_LARGE_TO_LIST" | "COMPACTED"

const GATEWAY = { code: "GATEWAY" } as const
const SCHEDULED_JOB = { code: "SCHEDULED_JOB" } as const
const OTHER_SESSION = { code: "OTHER_SESSION" } as const

/** What older gateways put before a message: events with their time. */
const EVENT = /^System: \[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[^\]]{0,20}\] /
const EVENT_LINE = /^System: (?:\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[^\]]{0,20}\] )?/

/** Prompts with which older gateways start a turn themselves, without saying so. */
const PROMPTS: ReadonlyArray<readonly [RegExp, Note["from"]]> = [
  [/^A new session was started via \/new or \/reset\./, GATEWAY],
  [/^Read HEARTBEAT\.md if it exists/, GATEWAY],
  [/^\[cron:[0-9a-f-]{36} [^\]]*\] /, SCHEDULED_JOB]
]

/** With which an older gateway reports to its agent what became of a command that a person was asked about. */
const COMMAND_END =
  /^An async command the user already approved has completed\.[\s\S]*?\nExact completion details:\n([\s\S]*?)(?:\n\nReply to the user in a helpful way\.[\s\S]*)?$/

/** What agents are told about a message from elsewhere. */
const INTER_SESSION = /^\[Inter-session message\][^\n]*\n?(?:This content was routed by [^\n]*\n?)?/

/** Reports from helpers, which their agent mentions in its next response. */
const REPORTS: ReadonlySet<string> = new Set(["subagent_announce", "subagent_settle"])

/** The gateway's replacement for a conversation it can't list. */
const UNAVAILABLE = /^\[chat\.history unavailable\b/

/** The events in the lines before a message, and the message itself. */
export function splitEvents(text: string): { readonly events: ReadonlyArray<string>; readonly rest: string } {
  if (!EVENT.test(text)) return { events: [], rest: text }
  const lines = text.split("\n")
  const end = lines.findIndex((line) => !line.startsWith("System: "))
  const events: Array<string> = []
  for (const line of end < 0 ? lines : lines.slice(0, end)) {
    const words = line.replace(EVENT_LINE, "")
    const before = events.at(-1)
    if (EVENT.test(line) || before === undefined) events.push(words)
    else events[events.length - 1] = `${before}\n${words}`
  }
  return { events, rest: end < 0 ? "" : lines.slice(end).join("\n").trimStart() }
}

/** An event as a note. */
export const eventNote = (text: string): Note => ({ from: GATEWAY, text })

/**
 * A note for a message that no person wrote, judged by its origin or the gateway's known phrases; `hidden` for one
 * nobody needs to see, null for one from a person or the agent.
 */
export function noteOf(message: Fields, text: string): Note | "hidden" | null {
  const { kind, sourceTool } = fieldsOf(message.provenance)
  if (REPORTS.has(textOf(sourceTool) ?? "")) return "hidden"
  if (message.provenance === undefined || kind === "external_user") {
    if (message.role === "assistant")
      return UNAVAILABLE.test(text) ? { from: GATEWAY, code: "TOO_LARGE_TO_LIST" } : null
    const [, commandEnd] = COMMAND_END.exec(text) ?? []
    if (commandEnd !== undefined) return { from: GATEWAY, text: commandEnd }
    const prompt = PROMPTS.find(([pattern]) => pattern.test(text))
    return prompt === undefined ? null : { from: prompt[1], text: text.replace(/^\[cron:[0-9a-f-]{36} /, "[") }
  }
  const label = filledText(message.senderLabel)
  if (kind === "inter_session") {
    const sender = sourceTool === undefined || sourceTool === "sessions_send" ? OTHER_SESSION : GATEWAY
    const words = text.replace(INTER_SESSION, "").trim()
    return { from: message.role === "assistant" && label !== null ? { name: label } : sender, text: words }
  }
  if (sourceTool === "cron") return { from: label === null ? SCHEDULED_JOB : { name: label }, text }
  return { from: GATEWAY, text: text.replace(/^\[System\]\s*/, "") }
}

/** The note for a row that marks where earlier messages were summarised; null for the gateway's other rows. */
export const markNote = (message: Fields): Note | null =>
  fieldsOf(message.__openclaw).kind === "compaction" ? { from: GATEWAY, code: "COMPACTED" } : null

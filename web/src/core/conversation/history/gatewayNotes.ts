import { type Fields, fieldsOf, filledText, textOf } from "../../common/decode.ts"
import { say } from "../../language/say.ts"

/** Something the gateway added to a conversation, and who it is from. */
export interface Note {
  readonly from: string
  readonly text: string
}

const GATEWAY = say("The gateway")

/** What older gateways put before a message: events with their time. */
const EVENT = /^System: \[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[^\]]{0,20}\] /
const EVENT_LINE = /^System: (?:\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[^\]]{0,20}\] )?/

/** Prompts with which older gateways start a turn themselves, without saying so. */
const PROMPTS: ReadonlyArray<readonly [RegExp, string]> = [
  [/^A new session was started via \/new or \/reset\./, GATEWAY],
  [/^Read HEARTBEAT\.md if it exists/, GATEWAY],
  [/^\[cron:[0-9a-f-]{36} [^\]]*\] /, say("Scheduled job")]
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
      return UNAVAILABLE.test(text)
        ? { from: GATEWAY, text: say("This conversation is too large to list here.") }
        : null
    const [, commandEnd] = COMMAND_END.exec(text) ?? []
    if (commandEnd !== undefined) return { from: GATEWAY, text: commandEnd }
    const prompt = PROMPTS.find(([pattern]) => pattern.test(text))
    return prompt === undefined ? null : { from: prompt[1], text: text.replace(/^\[cron:[0-9a-f-]{36} /, "[") }
  }
  const label = filledText(message.senderLabel)
  if (kind === "inter_session") {
    const sender = sourceTool === undefined || sourceTool === "sessions_send" ? say("Another session") : GATEWAY
    const words = text.replace(INTER_SESSION, "").trim()
    return { from: message.role === "assistant" && label !== null ? label : sender, text: words }
  }
  if (sourceTool === "cron") return { from: label ?? say("Scheduled job"), text }
  return { from: GATEWAY, text: text.replace(/^\[System\]\s*/, "") }
}

/** The note for a row that marks where earlier messages were summarised; null for the gateway's other rows. */
export const markNote = (message: Fields): Note | null =>
  fieldsOf(message.__openclaw).kind === "compaction"
    ? { from: GATEWAY, text: say("Compacted: the agent continues with a summary of the conversation so far.") }
    : null

import type { Failure } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import type { FeedEvent } from "../../gateway/feed/FeedEvent.ts"
import { type ResponseMessage, saidText } from "../../gateway/feed/feedMessage.ts"

/** How a person, or the clock, decided about a command; `unknown` if nobody told the console. */
type Outcome = "allowed" | "denied" | "expired" | "unknown"

/** A permission that the console heard being asked for; times in epoch milliseconds. */
export interface HeardApproval {
  readonly command: string
  readonly expiresAt: number
  readonly end?: { readonly at: number; readonly outcome: Outcome }
}
export type HeardApprovals = ReadonlyMap<string, HeardApproval>

/**
 * A command that an agent asked permission for. An older gateway goes on without it: the agent's turn ends while it
 * waits. What became of it is said to the agent in a turn of its own (`told`), if the gateway has a channel for that.
 */
interface AskedCommand {
  readonly command: string
  readonly told?: Outcome
  /** When it was asked, if the history says so. */
  readonly at: number | undefined
}

/** Older gateways decide by themselves after this time. */
const DECIDES_WITHIN_MS = 120_000
/** For so long the gateway gets to say something about a command that was allowed and may run for a while. */
const AFTER_ALLOWED_MS = 60_000
/** The same for one that isn't run. */
const AFTER_END_MS = 10_000

const ASKED = /^Approval required \(id [^,\n]+, full ([\w-]+)\)\.$/m
const COMMAND = /^Command:\n(`{3,})sh\n([\s\S]*?)\n\1$/m
const FOLLOW_UP = /An async command the user already approved has completed\./
const OUTCOME = /^Exec (finished|denied) \((?:gateway |node=\S+ )id=([\w-]+)(?:, ([^)\n]*))?/m

/** Whether this tells the agent what became of a command: no person wrote it. */
export const isFollowUp = (message: ResponseMessage): boolean =>
  message.role === "user" && FOLLOW_UP.test(saidText(message))

/** The gateway calls denied, too, what was allowed and couldn't be started. */
const deniedAs = (reason: string): Outcome =>
  reason.startsWith("approval-timeout") ? "expired" : reason === "spawn-failed" ? "allowed" : "denied"

const commandsIn = (messages: ReadonlyArray<ResponseMessage>): ReadonlyMap<string, AskedCommand> => {
  const asked = new Map<string, AskedCommand>()
  for (const message of messages) {
    const text = saidText(message)
    const id = message.role === "toolResult" ? ASKED.exec(text)?.[1] : undefined
    if (id !== undefined) asked.set(id, { command: COMMAND.exec(text)?.[2] ?? "", at: message.timestamp })
    const [, word, told = "", reason = ""] = isFollowUp(message) ? (OUTCOME.exec(text) ?? []) : []
    const known = asked.get(told)
    if (known !== undefined) asked.set(told, { ...known, told: word === "denied" ? deniedAs(reason) : "allowed" })
  }
  return asked
}

/** What becomes of a command that the agent wasn't told about, and until when its card waits for that. */
const waiting = (at: number | undefined, heard: HeardApproval | undefined, now: number) => {
  const expiresAt = heard?.expiresAt ?? (at === undefined ? now : at + DECIDES_WITHIN_MS)
  const ended = { at: expiresAt, outcome: heard === undefined ? ("unknown" as const) : ("expired" as const) }
  const end = heard?.end ?? ended
  return { outcome: end.outcome, until: end.at + (end.outcome === "allowed" ? AFTER_ALLOWED_MS : AFTER_END_MS) }
}

const MAX_COMMAND = 200

const sentence = (command: string, outcome: Outcome): ReadonlyArray<Failure> => {
  const short = command.length <= MAX_COMMAND ? command : `${command.slice(0, MAX_COMMAND - 1).toWellFormed()}…`
  if (outcome === "denied") return [failure("COMMAND_DENIED", { command: short })]
  return outcome === "expired" ? [failure("COMMAND_EXPIRED", { command: short })] : []
}

/** Whether a run still waits for a person or for what the agent says then, and what its card says about its commands. */
export interface CommandsVerdict {
  readonly isAwaited: boolean
  readonly notRun: ReadonlyArray<Failure>
}

/** Judges the commands that a run's agent asked for, by the history and by what the console heard. */
export const judgeCommands = (
  messages: ReadonlyArray<ResponseMessage>,
  heard: HeardApprovals,
  now: number
): CommandsVerdict => {
  const asked = commandsIn(messages)
  const all = [...new Set([...asked.keys(), ...heard.keys()])].map((id) => {
    const { at, command = "", told } = asked.get(id) ?? {}
    const { outcome, until } = waiting(at, heard.get(id), now)
    return { command: command || (heard.get(id)?.command ?? ""), outcome: told ?? outcome, until: told ? 0 : until }
  })
  const last = messages.findLastIndex(isFollowUp)
  const hasReplied = messages
    .slice(last + 1)
    .some(({ role, stopReason }) => role === "assistant" && stopReason !== "toolUse")
  return {
    isAwaited: all.some(({ until }) => now < until) || (last >= 0 && !hasReplied),
    notRun: all.flatMap(({ command, outcome }) => sentence(command, outcome))
  }
}

/** The approvals of a session after another event. */
export const hearApproval = (heard: Map<string, HeardApproval>, sessionKey: string, event: FeedEvent, now: number) => {
  if (event._tag === "Asked" && "approval" in event.ask) {
    const { expiresAtMs, id, request } = event.ask.approval
    const command = request.command ?? request.title ?? ""
    if (request.sessionKey === sessionKey) heard.set(id, { command, expiresAt: expiresAtMs })
  }
  const known = event._tag === "Settled" ? heard.get(event.id) : undefined
  if (event._tag !== "Settled" || known === undefined) return
  const { outcome = "expired" } = event
  const kind = /^allow/.test(outcome) ? "allowed" : outcome === "expired" ? "expired" : "denied"
  heard.set(event.id, { ...known, end: { at: now, outcome: kind } })
}

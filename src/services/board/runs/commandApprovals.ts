import type { Failure } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import type { FeedEvent } from "../../gateway/feed/FeedEvent.ts"
import { type ResponseMessage, saidText } from "../../gateway/feed/feedMessage.ts"

/** The decision of a person or the timeout about a command; `unknown` if no event reported it. */
type Outcome = "allowed" | "denied" | "expired" | "unknown"

/** A permission requested while the console was listening; times in epoch milliseconds. */
export interface ApprovalOutcome {
  readonly command: string
  readonly expiresAt: number
  readonly end?: { readonly at: number; readonly outcome: Outcome }
}
export type ApprovalOutcomes = ReadonlyMap<string, ApprovalOutcome>

/**
 * A command that an agent asked permission for. An older gateway doesn't wait for the decision: the agent's turn ends, and
 * the outcome is sent to the agent in a turn of its own (`reported`) if the gateway has a channel for that.
 */
interface AskedCommand {
  readonly command: string
  readonly reported?: Outcome
  /** When it was requested, if the history says so. */
  readonly at: number | undefined
}

/** Older gateways decide by themselves after this time. */
const DECIDES_WITHIN_MS = 120_000
/** How long the gateway may take to report a command that was allowed and may run for a while. */
const AFTER_ALLOWED_MS = 60_000
/** The same for one that isn't run. */
const AFTER_END_MS = 10_000

const ASKED = /^Approval required \(id [^,\n]+, full ([\w-]+)\)\.$/m
const COMMAND = /^Command:\n(`{3,})sh\n([\s\S]*?)\n\1$/m
const FOLLOW_UP = /An async command the user already approved has completed\./
const OUTCOME = /^Exec (finished|denied) \((?:gateway |node=\S+ )id=([\w-]+)(?:, ([^)\n]*))?/m

/** Whether this message reports a command's outcome to the agent; no person wrote it. */
export const isFollowUp = (message: ResponseMessage): boolean =>
  message.role === "user" && FOLLOW_UP.test(saidText(message))

/** The gateway also reports as denied a command whose request couldn't be shown, or that couldn't be started. */
const deniedAs = (reason: string): Outcome => {
  if (/^approval-(?:timeout|request-failed)/.test(reason)) return "expired"
  return /^(?:spawn|invoke)-failed/.test(reason) ? "allowed" : "denied"
}

const commandsIn = (messages: ReadonlyArray<ResponseMessage>): ReadonlyMap<string, AskedCommand> => {
  const asked = new Map<string, AskedCommand>()
  for (const message of messages) {
    const text = saidText(message)
    const requested = message.role === "toolResult" ? ASKED.exec(text)?.[1] : undefined
    if (requested !== undefined) asked.set(requested, { command: COMMAND.exec(text)?.[2] ?? "", at: message.timestamp })
    const [, word, id = "", reason = ""] = isFollowUp(message) ? (OUTCOME.exec(text) ?? []) : []
    const known = asked.get(id)
    if (known !== undefined) asked.set(id, { ...known, reported: word === "denied" ? deniedAs(reason) : "allowed" })
  }
  return asked
}

/** The outcome of a command that wasn't reported to the agent, and how long its card waits for the report. */
const waiting = (at: number | undefined, approval: ApprovalOutcome | undefined, now: number) => {
  const expiresAt = approval?.expiresAt ?? (at === undefined ? now : at + DECIDES_WITHIN_MS)
  const ended = { at: expiresAt, outcome: approval === undefined ? ("unknown" as const) : ("expired" as const) }
  const end = approval?.end ?? ended
  return { outcome: end.outcome, until: end.at + (end.outcome === "allowed" ? AFTER_ALLOWED_MS : AFTER_END_MS) }
}

const MAX_COMMAND = 200

const SENTENCES = {
  allowed: "COMMAND_UNREPORTED",
  denied: "COMMAND_DENIED",
  expired: "COMMAND_EXPIRED",
  unknown: "COMMAND_OUTCOME_UNKNOWN"
} as const

const sentence = (command: string, outcome: Outcome): Failure => {
  const short = command.length <= MAX_COMMAND ? command : `${command.slice(0, MAX_COMMAND - 1).toWellFormed()}…`
  return failure(SENTENCES[outcome], { command: short })
}

/** Whether a run still waits for a person or for the agent's reply, and the sentences of its card about its commands. */
export interface CommandsVerdict {
  readonly isAwaited: boolean
  readonly notes: ReadonlyArray<Failure>
}

/** Judges the commands that a run's agent asked for, by the history and the approvals' events. */
export const judgeCommands = (
  messages: ReadonlyArray<ResponseMessage>,
  approvals: ApprovalOutcomes,
  now: number
): CommandsVerdict => {
  const asked = commandsIn(messages)
  const all = [...new Set([...asked.keys(), ...approvals.keys()])].map((id) => {
    const { at, command = "", reported } = asked.get(id) ?? {}
    const { outcome, until } = waiting(at, approvals.get(id), now)
    // A run that ends while it waits (a person stopped it, or the gateway restarted) never receives the outcome.
    const unreported = now < until ? "unknown" : outcome
    return {
      command: command || (approvals.get(id)?.command ?? ""),
      reported,
      outcome: unreported,
      until: reported ? 0 : until
    }
  })
  const last = messages.findLastIndex(isFollowUp)
  const hasReplied = messages
    .slice(last + 1)
    .some(({ role, stopReason }) => role === "assistant" && stopReason !== "toolUse")
  return {
    isAwaited: all.some(({ until }) => now < until) || (last >= 0 && !hasReplied),
    // The answer of an agent that received its command's outcome contains it.
    notes: all
      .filter(({ reported }) => reported !== "allowed")
      .map(({ command, reported, outcome }) => sentence(command, reported ?? outcome))
  }
}

/** Updates the approvals of a session after an event. */
export const noteApproval = (
  approvals: Map<string, ApprovalOutcome>,
  sessionKey: string,
  event: FeedEvent,
  now: number
) => {
  if (event._tag === "Asked" && "approval" in event.ask) {
    const { expiresAtMs, id, request } = event.ask.approval
    const command = request.command ?? request.title ?? ""
    if (request.sessionKey === sessionKey) approvals.set(id, { command, expiresAt: expiresAtMs })
  }
  const known = event._tag === "Settled" ? approvals.get(event.id) : undefined
  if (event._tag !== "Settled" || known === undefined) return
  const { outcome = "expired" } = event
  const kind = /^allow/.test(outcome) ? "allowed" : outcome === "expired" ? "expired" : "denied"
  approvals.set(event.id, { ...known, end: { at: now, outcome: kind } })
}

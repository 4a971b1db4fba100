import { isCommand, isForResponse } from "../../contract/commands.ts"
import { unwrapped } from "../../contract/unwrapped.ts"
import { isSameStart } from "../gateway/client/gatewayStart.ts"
import type { Queued, StoredMessage } from "./outboxMessage.ts"

/** The first wire protocol whose gateways pass a message to a running response and keep each message's id. */
const FIRST_WITH_STEER = 4
/** How long a gateway remembers the ids of messages, which it doesn't run twice meanwhile. */
const REMEMBERED_MS = 4 * 60_000
/** The tolerated difference between the clocks of gateway and console; an earlier message may be another one. */
const CLOCKS_APART_MS = 5_000

/** The known state of a session. */
interface SessionView {
  readonly protocol: number
  /** A response is running. */
  readonly isBusy: boolean
  /** Epoch milliseconds. */
  readonly now: number
}

/** The next step for a session. */
export type NextStep =
  | { readonly type: "wait" }
  | { readonly type: "send"; readonly id: string; readonly steer: boolean }
  /** Stops the running response; the message is sent when the session is free. */
  | { readonly type: "stop" }

const WAIT: NextStep = { type: "wait" }

/**
 * Returns the next message of a session. One at a time: a message that may have arrived delays the others until a person
 * decides, because it may have to be sent again before them.
 */
export const nextStep = (queue: ReadonlyArray<Queued>, { isBusy, now, protocol }: SessionView): NextStep => {
  if (queue.some(({ state }) => state === "sending" || state === "unsure")) return WAIT
  const due = queue.filter(({ state, notBefore }) => state === "waiting" && (notBefore ?? 0) <= now)
  const send = (message: Queued | undefined, steer = false): NextStep =>
    message === undefined ? WAIT : { type: "send", id: message.id, steer }
  const commands = due.filter(({ text, attachments }) => isCommand(text, attachments))
  // Older gateways answer commands while a response is running; a newer one fails that response.
  const free = commands.find(({ text }) => isForResponse(text) || protocol < FIRST_WITH_STEER)
  if (free !== undefined) return send(free)
  const interrupting = due.find(({ mode }) => mode === "interrupt")
  if (interrupting !== undefined) return isBusy ? { type: "stop" } : send(interrupting)
  if (!isBusy) return send(due[0])
  if (protocol < FIRST_WITH_STEER) return WAIT
  return send(
    due.find((message) => message.mode === "steer" && !commands.includes(message)),
    true
  )
}

/** The ids of a session in their new order. Messages that the gateway has or may have stay in front. */
export const moved = (
  queue: ReadonlyArray<Pick<StoredMessage, "id" | "state" | "sentAt">>,
  id: string,
  position: number
): ReadonlyArray<string> => {
  const ids = queue.map((message) => message.id)
  const inFront = queue.filter(
    ({ sentAt, state }) => state === "handed" || state === "sending" || (state === "waiting" && sentAt !== undefined)
  ).length
  const others = ids.filter((other) => other !== id)
  return others.toSpliced(Math.max(position, inFront), 0, id)
}

/** The gateway's state of a session. */
export interface SessionEvidence {
  readonly protocol: number
  /** When the gateway started, in epoch milliseconds; each connection calculates it slightly differently. */
  readonly gatewayStartedAt: number | undefined
  /** The messages of people. */
  readonly written: ReadonlyArray<{
    readonly text: string
    /** The message's id, if the gateway keeps it. */
    readonly runId: string | undefined
    readonly at: number | undefined
  }>
  /** Since when the messages are complete, by the gateway's clock; 0 for the whole history. */
  readonly begin: number
  /** Running and queued runs. */
  readonly runs: ReadonlySet<string>
  /** Whether an older gateway reports some running response. */
  readonly isRunning: boolean
}

/** Whether the text is in the history since it was sent: an older gateway keeps no ids. */
const isWrittenIn = (
  { sentAt = 0, text }: Pick<StoredMessage, "sentAt" | "text">,
  { written }: SessionEvidence
): boolean =>
  written.some((one) => (one.at ?? 0) >= sentAt - CLOCKS_APART_MS && unwrapped(one.text).trim() === text.trim())

/** Whether the gateway has a message whose answer was lost; `later` if that's only known at the end of a response. */
type Fate = "handed" | "again" | "unsure" | "later"

/**
 * Judges a message after a crash or a lost answer. Repeating it is safe if the gateway doesn't have it, and while the
 * same process still remembers its id.
 */
export const fateOf = (
  { gatewayStartedAt, runId, sentAt = 0, text }: StoredMessage,
  evidence: SessionEvidence,
  now: number
): Fate => {
  const { begin, protocol, runs, written } = evidence
  if (runs.has(runId) || written.some((one) => one.runId === runId)) return "handed"
  const isSameProcess = isSameStart(gatewayStartedAt, evidence.gatewayStartedAt)
  if (isSameProcess && now >= sentAt && now - sentAt < REMEMBERED_MS) return "again"
  // It may be in the part of a long history that wasn't read.
  if (protocol >= FIRST_WITH_STEER) return begin <= sentAt ? "again" : "unsure"
  if (isWrittenIn({ sentAt, text }, evidence)) return "handed"
  // It stores the first message of a session with its response.
  return evidence.isRunning ? "later" : "unsure"
}

/** Whether the gateway has a message, by its id or its text. */
export const hasMessage = (message: StoredMessage, evidence: SessionEvidence): boolean => {
  const { protocol, runs, written } = evidence
  if (runs.has(message.runId) || written.some((one) => one.runId === message.runId)) return true
  return protocol < FIRST_WITH_STEER && isWrittenIn(message, evidence)
}

/** Whether a message that the gateway accepted is in its history, will be, or is lost. */
type Arrival = "arrived" | "coming" | "gone"

/** Judges a message that the gateway accepted, without an event about the end of its response. */
export const arrivalOf = (message: StoredMessage, evidence: SessionEvidence, isBusy: boolean): Arrival => {
  const { begin, protocol, runs, written } = evidence
  if (runs.has(message.runId)) return "coming"
  if (written.some((one) => one.runId === message.runId)) return "arrived"
  // The part of the history that was read begins after it.
  if (begin > (message.sentAt ?? 0)) return "arrived"
  if (protocol >= FIRST_WITH_STEER) return "gone"
  if (isWrittenIn(message, evidence)) return "arrived"
  // An older gateway stores the first message of a session with its response.
  if (isBusy || evidence.isRunning) return "coming"
  return isSameStart(message.gatewayStartedAt, evidence.gatewayStartedAt) ? "arrived" : "gone"
}

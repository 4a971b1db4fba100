import { isCommand, isForResponse } from "../../contract/commands.ts"
import { unwrapped } from "../../contract/unwrapped.ts"
import { isSameStart } from "../gateway/client/gatewayStart.ts"
import type { Queued, StoredMessage } from "./outboxMessage.ts"

/** The first wire protocol whose gateways hand a message to a running response, and keep each message's own id. */
const FIRST_WITH_STEER = 4
/** How long a gateway surely remembers the ids of what it was sent: it runs nothing twice meanwhile. */
const REMEMBERED_MS = 4 * 60_000
/** How much earlier than by the console's clock a message may stand in the history; more, and it may be another one. */
const CLOCKS_APART_MS = 5_000

/** What a session does, as far as anybody knows. */
export interface SessionView {
  readonly protocol: number
  /** A response is running. */
  readonly isBusy: boolean
  /** Epoch milliseconds. */
  readonly now: number
}

/** What to do in a session now. */
export type NextStep =
  | { readonly type: "wait" }
  | { readonly type: "send"; readonly id: string; readonly steer: boolean }
  /** Stops the running response; the message goes when the session is free. */
  | { readonly type: "stop" }

const WAIT: NextStep = { type: "wait" }

/**
 * Which message of a session goes next. One at a time: a message whose fate nobody knows holds back the others until a
 * person decides, since it might have to be sent again before them.
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

/** The ids of a session in their new order. What the gateway has, may have or is getting stays in front. */
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

/** What the gateway says about a session. */
export interface SessionEvidence {
  readonly protocol: number
  /** When the gateway says it started, in epoch milliseconds; each connection calculates it a little differently. */
  readonly gatewayStartedAt: number | undefined
  /** What people wrote there. */
  readonly written: ReadonlyArray<{
    readonly text: string
    /** The message's own id, where the gateway keeps it. */
    readonly runId: string | undefined
    readonly at: number | undefined
  }>
  /** From when on that is all of it, by the gateway's clock; 0 for all there is. */
  readonly begin: number
  /** Runs that are running or wait there. */
  readonly runs: ReadonlySet<string>
  /** An older gateway says that a response is running, though not which. */
  readonly isRunning: boolean
}

/** Whether the words stand in the history since they were sent: an older gateway keeps no ids. */
const isWrittenIn = (
  { sentAt = 0, text }: Pick<StoredMessage, "sentAt" | "text">,
  { written }: SessionEvidence
): boolean =>
  written.some(({ at, text: said }) => (at ?? 0) >= sentAt - CLOCKS_APART_MS && unwrapped(said).trim() === text.trim())

/** Whether the gateway has a message whose answer was lost; `later` while only the end of a response can tell. */
export type Fate = "handed" | "again" | "unsure" | "later"

/**
 * Judges what became of a message after a crash or a lost answer. Repeating it is safe where the gateway surely doesn't
 * have it, and while the same process still remembers its id.
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
  // What came before the end of a long history may have been it.
  if (protocol >= FIRST_WITH_STEER) return begin <= sentAt ? "again" : "unsure"
  if (isWrittenIn({ sentAt, text }, evidence)) return "handed"
  // It writes the first message of a session down with its response.
  return evidence.isRunning ? "later" : "unsure"
}

/** Whether the gateway has a message after all, by its id or its words. */
export const standsThere = (message: StoredMessage, evidence: SessionEvidence): boolean => {
  const { protocol, runs, written } = evidence
  if (runs.has(message.runId) || written.some((one) => one.runId === message.runId)) return true
  return protocol < FIRST_WITH_STEER && isWrittenIn(message, evidence)
}

/** Whether a message that the gateway took stands in its history, is still on its way there, or is gone. */
export type Arrival = "arrived" | "coming" | "gone"

/** Judges a message that the gateway took, and of whose response nobody has heard the end. */
export const arrivalOf = (message: StoredMessage, evidence: SessionEvidence, isBusy: boolean): Arrival => {
  const { begin, protocol, runs, written } = evidence
  if (runs.has(message.runId)) return "coming"
  if (written.some((one) => one.runId === message.runId)) return "arrived"
  // So much was said since it was taken that it stands before that.
  if (begin > (message.sentAt ?? 0)) return "arrived"
  if (protocol >= FIRST_WITH_STEER) return "gone"
  if (isWrittenIn(message, evidence)) return "arrived"
  // An older gateway writes the first message of a session down with its response.
  if (isBusy || evidence.isRunning) return "coming"
  return isSameStart(message.gatewayStartedAt, evidence.gatewayStartedAt) ? "arrived" : "gone"
}

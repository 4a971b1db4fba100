/** After this long a silence, nobody can say whether a run is still alive. */
const QUIET_LIMIT = 15 * 60_000

/** A message of a history, as far as it tells how a run stands. */
export interface RunMessage {
  readonly role?: unknown
  readonly stopReason?: unknown
  readonly model?: unknown
  readonly openclawAbort?: unknown
  /** Epoch milliseconds. */
  readonly timestamp?: unknown
  readonly [field: string]: unknown
}

const endsTurn = ({ role, stopReason, model, openclawAbort }: RunMessage): boolean =>
  role === "assistant" &&
  (openclawAbort !== undefined ||
    (model !== "gateway-injected" && stopReason !== undefined && stopReason !== "toolUse"))

const timeOf = ({ timestamp }: RunMessage): number =>
  typeof timestamp === "number" && Number.isFinite(timestamp) ? timestamp : 0

/**
 * What the end of a session's history says about a run the gateway lists as running: a response, failure or stop
 * since it started means it is over, a long silence leaves it open. All times are the gateway's.
 */
export function runEvidence(
  messages: ReadonlyArray<RunMessage>,
  startedAt: number,
  now: number
): "over" | "alive" | "silent" {
  if (messages.some((message) => timeOf(message) >= startedAt && endsTurn(message))) return "over"
  return now - Math.max(startedAt, ...messages.map(timeOf)) < QUIET_LIMIT ? "alive" : "silent"
}

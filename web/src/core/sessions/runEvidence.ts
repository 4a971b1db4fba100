import { type Fields, numberOf } from "../common/decode.ts"

/** After this long a silence, nobody can say whether a run is still alive. */
const QUIET_LIMIT = 15 * 60_000

const endsTurn = ({ role, stopReason, model, openclawAbort }: Fields): boolean =>
  role === "assistant" &&
  (openclawAbort !== undefined ||
    (model !== "gateway-injected" && stopReason !== undefined && stopReason !== "toolUse"))

/**
 * What the end of a session's history says about a run the gateway lists as running: a response, failure or stop
 * since it started means it is over, a long silence leaves it open. All times are the gateway's.
 */
export function runEvidence(
  messages: ReadonlyArray<Fields>,
  startedAt: number,
  now: number
): "over" | "alive" | "silent" {
  const timeOf = ({ timestamp }: Fields) => numberOf(timestamp) ?? 0
  if (messages.some((message) => timeOf(message) >= startedAt && endsTurn(message))) return "over"
  return now - Math.max(startedAt, ...messages.map(timeOf)) < QUIET_LIMIT ? "alive" : "silent"
}

import type { GatewayEntry, GatewayStatus } from "../../../contract/answers/GatewayAnswers.ts"
import type { GatewayConnection } from "../client/GatewayClientShape.ts"
import type { GatewayError } from "../client/GatewayError.ts"
import { connecting, starting } from "../client/gatewayFailures.ts"

/** What a gateway's client knows of its link. */
export interface LinkFacts {
  readonly status: GatewayStatus
  readonly problem: GatewayError | undefined
  readonly connection: GatewayConnection | undefined
}

type State = Omit<GatewayEntry, "id" | "name" | "url" | "primary" | "local">

const stateOf = ({ problem, status }: LinkFacts): State["state"] => {
  if (status.gateway === "ok") return "ok"
  if (problem?.message === connecting.message || problem?.message === starting.message) return "connecting"
  return problem?.reason === "refused" || problem?.reason === "not_approved" ? "refused" : "unreachable"
}

const deviceOf = ({ problem, status }: LinkFacts): State["device"] => {
  if (problem?.reason === "not_approved") return problem.code === "PAIRING_REQUIRED" ? "pending" : "refused"
  return status.gateway === "ok" ? "approved" : "unknown"
}

/** How a gateway stands. */
export const entryState = (facts: LinkFacts): State => {
  const { connection, problem, status } = facts
  const requestId = status.approval?.requestId
  return {
    state: stateOf(facts),
    since: status.since,
    device: deviceOf(facts),
    ...(problem === undefined ? {} : { reason: problem.message }),
    ...(connection === undefined ? {} : { protocol: connection.protocol }),
    ...(connection?.version === undefined ? {} : { version: connection.version }),
    ...(requestId === undefined || requestId === null ? {} : { requestId })
  }
}

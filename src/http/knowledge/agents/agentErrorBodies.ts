import { failure } from "../../../contract/failures.ts"
import { AgentUnknown, WorkspaceForbidden, WorkspaceMissing } from "../../../services/knowledge/agents/agentErrors.ts"
import { errorBody } from "../../errorBody.ts"
import { UnknownGatewayError } from "../../gateway/gateways/unknownGateway.ts"
import { GatewayFailure } from "../../gatewayErrors.ts"

/** Errors of every route that takes an `agent`. */
export const AGENT_ERRORS = [
  errorBody(AgentUnknown, {
    code: "unknown_agent",
    status: 404,
    details: ({ id }) => failure("AGENT_NOT_FOUND", { id })
  }),
  errorBody(WorkspaceMissing, { code: "workspace_missing", status: 404, details: (error) => error }),
  errorBody(WorkspaceForbidden, { code: "forbidden", status: 403, details: (error) => error }),
  GatewayFailure
] as const

/** Those of the routes that take a `gateway` as well. */
export const OWNER_ERRORS = [...AGENT_ERRORS, UnknownGatewayError] as const

import { AgentUnknown, WorkspaceForbidden, WorkspaceMissing } from "../../../services/knowledge/agents/agentErrors.ts"
import { errorBody } from "../../errorBody.ts"
import { UnknownGatewayError } from "../../gateway/gateways/unknownGateway.ts"
import { GatewayFailure } from "../../gatewayErrors.ts"

/** Errors of every route that takes an `agent`. */
export const AGENT_ERRORS = [
  errorBody(AgentUnknown, {
    code: "unknown_agent",
    status: 404,
    details: ({ id }) => `The gateway has no agent called ${id}. Choose another one.`
  }),
  errorBody(WorkspaceMissing, { code: "workspace_missing", status: 404, details: (error) => error.message }),
  errorBody(WorkspaceForbidden, { code: "forbidden", status: 403, details: (error) => error.message }),
  GatewayFailure
] as const

/** Those of the routes that take a `gateway` as well. */
export const OWNER_ERRORS = [...AGENT_ERRORS, UnknownGatewayError] as const

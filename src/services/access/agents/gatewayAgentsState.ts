import { Schema } from "effect"
import { AGENT_RIGHTS, GATEWAY_AGENT_STATES } from "../../../contract/answers/AgentAnswers.ts"
import { failure } from "../../../contract/failures.ts"
import { body, list, oneOf, required } from "../../../contract/schema/fields.ts"
import { AgentRight, MOST_TOKENS } from "./agentToken.ts"

/** Whether the gateway's own agents have the console's tools. */
export const GatewayAgentsState = Schema.Struct({
  state: oneOf(GATEWAY_AGENT_STATES),
  address: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "GatewayAgents" })
export type GatewayAgentsState = typeof GatewayAgentsState.Type

const isOrigin = (value: string): boolean =>
  /^https?:\/\//.test(value) && URL.canParse(value) && new URL(value).origin === value

const ConsoleAddress = Schema.String.annotate(failure("MUST_BE_TEXT")).check(
  Schema.makeFilter(isOrigin, failure("MUST_BE_AN_ORIGIN"))
)

/** Body of `PUT /api/mcp/gateway`. */
export const AddGatewayAgents = body({
  address: required(ConsoleAddress),
  rights: required(list(AgentRight, 1, AGENT_RIGHTS.length))
})
export type AddGatewayAgents = typeof AddGatewayAgents.Type

/** The gateway's generation doesn't support external tools. */
export class GatewayTooOld extends Schema.TaggedError<GatewayTooOld>()("GatewayTooOld", {}) {}

/** The gateway's agents have the tools already. */
export class GatewayAgentsOn extends Schema.TaggedError<GatewayAgentsOn>()("GatewayAgentsOn", {}) {}

/** The gateway has a server of this name that another program added, so it isn't changed. */
export class ServerNameTaken extends Schema.TaggedError<ServerNameTaken>()("ServerNameTaken", {}) {}

/** The explanation of each failure and its remedy, for the page and the command line. */
export const GATEWAY_AGENTS_PROBLEMS = {
  GatewayTooOld: failure("GATEWAY_TOO_OLD_FOR_TOOLS"),
  GatewayAgentsOn: failure("GATEWAY_AGENTS_ON"),
  ServerNameTaken: failure("SERVER_NAME_TAKEN"),
  AgentNameTaken: failure("GATEWAY_TOKEN_EXISTS"),
  TooManyAgentTokens: failure("TOO_MANY_AGENT_TOKENS", { max: MOST_TOKENS })
} as const

import { Schema } from "effect"
import { failure } from "../../../contract/failures.ts"
import { MOST_TOKENS } from "./agentToken.ts"

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

import { Schema } from "effect"
import { AGENT_RIGHTS } from "../agentRights.ts"
import { failure } from "../failures.ts"
import { body, done, epochMillis, filledText, list, maybe, oneOf, required } from "./fields.ts"

/** Whether a password is asked for, and whether this client has given it. */
export const AuthStatus = Schema.Struct({ authEnabled: Schema.Boolean, authenticated: Schema.Boolean })
export type AuthStatus = typeof AuthStatus.Type

/** `details` where the sign-out couldn't be saved, so that it only lasts until a restart. */
export const SignedOut = Schema.Struct({ ...done, details: Schema.optionalKey(Schema.String) })
export type SignedOut = typeof SignedOut.Type

export const AgentRight = oneOf(AGENT_RIGHTS)
const AgentRights = list(AgentRight, 1, AGENT_RIGHTS.length)

const MAX_NAME = 100

const isName = (value: string): boolean => /^\S(?:[^\p{Cc}]*\S)?$/u.test(value) && value.length <= MAX_NAME

/** The name in `agent:<name>`, the author of the agent's changes on the board. */
const AgentName = Schema.String.annotate(failure("MUST_BE_TEXT")).check(
  Schema.makeFilter(isName, { message: `must be 1 to ${MAX_NAME} characters, without spaces around them` })
)

/** A token of an agent, without its secret. */
export const AgentToken = Schema.Struct({
  id: Schema.String,
  name: AgentName,
  rights: Schema.Array(AgentRight),
  createdAt: epochMillis,
  /** To the minute; absent until it's used. */
  lastUsedAt: Schema.optionalKey(epochMillis),
  /** The task whose run it's made for; it ends with that run. */
  taskId: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "AgentToken" })
export type AgentToken = typeof AgentToken.Type

export const AgentTokenList = Schema.Struct({ tokens: Schema.Array(AgentToken) })
export type AgentTokenList = typeof AgentTokenList.Type

/** A new token, with the secret that is never shown again. */
export const NewAgentToken = Schema.Struct({ ...AgentToken.fields, token: Schema.String }).annotate({
  identifier: "NewAgentToken"
})
export type NewAgentToken = typeof NewAgentToken.Type

/** Body of `POST /api/mcp/tokens`. */
export const CreateAgentToken = body({
  name: required(AgentName),
  rights: required(AgentRights),
  taskId: maybe(filledText(200))
})
export type CreateAgentToken = typeof CreateAgentToken.Type

/**
 * Whether the gateway's own agents have the console's tools. `revoked`: the gateway has them, but their token was
 * revoked here. `taken`: another program gave the gateway a server of this name. `older`: this gateway can't have any.
 */
export const GatewayAgentsState = Schema.Struct({
  state: oneOf(["off", "on", "revoked", "taken", "older"]),
  /** Where the gateway reaches this console: as it's set there, or else a proposal if both are on one machine. */
  address: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "GatewayAgents" })
export type GatewayAgentsState = typeof GatewayAgentsState.Type

const isOrigin = (value: string): boolean =>
  /^https?:\/\//.test(value) && URL.canParse(value) && new URL(value).origin === value

const ConsoleAddress = Schema.String.annotate(failure("MUST_BE_TEXT")).check(
  Schema.makeFilter(isOrigin, failure("MUST_BE_AN_ORIGIN"))
)

/** Body of `PUT /api/mcp/gateway`. */
export const AddGatewayAgents = body({ address: required(ConsoleAddress), rights: required(AgentRights) })
export type AddGatewayAgents = typeof AddGatewayAgents.Type

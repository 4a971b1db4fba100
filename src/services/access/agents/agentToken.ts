import { Schema } from "effect"
import { AGENT_RIGHTS } from "../../../contract/answers/AgentAnswers.ts"
import { failure } from "../../../contract/failures.ts"
import { body, epochMillis, list, oneOf, required } from "../../../contract/schema/fields.ts"

export const AgentRight = oneOf(AGENT_RIGHTS)

/** Far more than the number of agents in practice. */
export const MOST_TOKENS = 100

const MAX_NAME = 100

const isName = (value: string): boolean => /^\S(?:[^\p{Cc}]*\S)?$/u.test(value) && value.length <= MAX_NAME

/** The name in `agent:<name>`, the author of the agent's changes on the board. */
const AgentName = Schema.String.annotate(failure("MUST_BE_TEXT")).check(
  Schema.makeFilter(isName, { message: `must be 1 to ${MAX_NAME} characters, without spaces around them` })
)

const fields = { id: Schema.String, name: AgentName, rights: Schema.Array(AgentRight) }

/** A token of an agent, without its secret. */
export const AgentToken = Schema.Struct({
  ...fields,
  createdAt: epochMillis,
  lastUsedAt: Schema.optionalKey(epochMillis)
}).annotate({ identifier: "AgentToken" })
export type AgentToken = typeof AgentToken.Type

/** A new token, with the secret that is never shown again. */
export const NewAgentToken = Schema.Struct({ ...AgentToken.fields, token: Schema.String }).annotate({
  identifier: "NewAgentToken"
})
export type NewAgentToken = typeof NewAgentToken.Type

/** Body of `POST /api/mcp/tokens`. */
export const CreateAgentToken = body({
  name: required(AgentName),
  rights: required(list(AgentRight, 1, AGENT_RIGHTS.length))
})
export type CreateAgentToken = typeof CreateAgentToken.Type

/** No token has this id. */
export class AgentTokenNotFound extends Schema.TaggedError<AgentTokenNotFound>()("AgentTokenNotFound", {}) {}

/** The limit of tokens is reached. */
export class TooManyAgentTokens extends Schema.TaggedError<TooManyAgentTokens>()("TooManyAgentTokens", {}) {}

/** A token with this name exists; the board couldn't distinguish the two. */
export class AgentNameTaken extends Schema.TaggedError<AgentNameTaken>()("AgentNameTaken", {}) {}

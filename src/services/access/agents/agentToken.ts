import { Schema } from "effect"

/** Far more than the number of agents in practice. */
export const MOST_TOKENS = 100

/** No token has this id. */
export class AgentTokenNotFound extends Schema.TaggedError<AgentTokenNotFound>()("AgentTokenNotFound", {}) {}

/** The limit of tokens is reached. */
export class TooManyAgentTokens extends Schema.TaggedError<TooManyAgentTokens>()("TooManyAgentTokens", {}) {}

/** A token with this name exists; the board couldn't distinguish the two. */
export class AgentNameTaken extends Schema.TaggedError<AgentNameTaken>()("AgentNameTaken", {}) {}

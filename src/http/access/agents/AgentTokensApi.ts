import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { failure } from "../../../contract/failures.ts"
import { AgentTokenList, CreateAgentToken, NewAgentToken } from "../../../contract/schema/access.ts"
import { Done } from "../../../contract/schema/fields.ts"
import {
  AgentNameTaken,
  AgentTokenNotFound,
  MOST_TOKENS,
  TooManyAgentTokens
} from "../../../services/access/agents/AgentTokens.ts"
import { StoreFailure, StoreUnavailable, TaskNotFoundError } from "../../board/boardErrors.ts"
import { errorBody } from "../../errorBody.ts"

const NotFound = errorBody(AgentTokenNotFound, {
  code: "not_found",
  status: 404,
  details: () => failure("TOKEN_NOT_FOUND")
})
const NameTaken = errorBody(AgentNameTaken, {
  code: "name_taken",
  status: 409,
  details: () => failure("TOKEN_NAME_TAKEN")
})
/** 409: there are as many tokens as there may be. */
export const TooManyTokens = errorBody(TooManyAgentTokens, {
  code: "too_many_tokens",
  status: 409,
  details: () => failure("TOO_MANY_TOKENS", { max: MOST_TOKENS })
})

/** Tokens of agents that use the console as a tool. */
export class AgentTokensApi extends HttpApiGroup.make("agentTokens")
  .add(
    HttpApiEndpoint.get("list", "/api/mcp/tokens", {
      success: AgentTokenList,
      error: [StoreUnavailable, StoreFailure]
    }).annotate(OpenApi.Summary, "List the tokens of agents, without their secrets"),
    HttpApiEndpoint.post("create", "/api/mcp/tokens", {
      payload: CreateAgentToken,
      success: NewAgentToken.pipe(HttpApiSchema.status(201)),
      error: [TaskNotFoundError, NameTaken, TooManyTokens, StoreUnavailable, StoreFailure]
    }).annotate(OpenApi.Summary, "Create a token; its secret is in this answer and nowhere else"),
    HttpApiEndpoint.delete("remove", "/api/mcp/tokens/:id", {
      params: { id: Schema.String },
      success: Done,
      error: [NotFound, StoreUnavailable, StoreFailure]
    }).annotate(OpenApi.Summary, "Revoke a token, at once")
  )
  .annotate(OpenApi.Title, "Agents' tokens") {}

import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AddGatewayAgents, GatewayAgentsState } from "../../../contract/schema/access.ts"
import { AgentNameTaken } from "../../../services/access/agents/AgentTokens.ts"
import {
  GATEWAY_AGENTS_PROBLEMS,
  GatewayAgentsOn,
  GatewayTooOld,
  ServerNameTaken
} from "../../../services/access/agents/GatewayAgents.ts"
import { StoreFailure } from "../../board/boardErrors.ts"
import { errorBody } from "../../errorBody.ts"
import { GatewayFailure } from "../../serviceErrors.ts"
import { TooManyTokens } from "./AgentTokensApi.ts"

const TooOld = errorBody(GatewayTooOld, {
  code: "gateway_too_old",
  status: 409,
  details: () => GATEWAY_AGENTS_PROBLEMS.GatewayTooOld
})
const AlreadyOn = errorBody(GatewayAgentsOn, {
  code: "already_registered",
  status: 409,
  details: () => GATEWAY_AGENTS_PROBLEMS.GatewayAgentsOn
})
const ServerTaken = errorBody(ServerNameTaken, {
  code: "server_name_taken",
  status: 409,
  details: () => GATEWAY_AGENTS_PROBLEMS.ServerNameTaken
})
const TokenTaken = errorBody(AgentNameTaken, {
  code: "name_taken",
  status: 409,
  details: () => GATEWAY_AGENTS_PROBLEMS.AgentNameTaken
})

/** The gateway's own agents as users of the console's tools. */
export class GatewayAgentsApi extends HttpApiGroup.make("gatewayAgents")
  .add(
    HttpApiEndpoint.get("look", "/api/mcp/gateway", {
      success: GatewayAgentsState,
      error: [GatewayFailure, StoreFailure]
    }).annotate(OpenApi.Summary, "Whether the gateway's own agents can use the console's tools"),
    HttpApiEndpoint.put("add", "/api/mcp/gateway", {
      payload: AddGatewayAgents,
      success: GatewayAgentsState,
      error: [TooOld, AlreadyOn, ServerTaken, TokenTaken, TooManyTokens, GatewayFailure, StoreFailure]
    }).annotate(OpenApi.Summary, "Create a token for them and add the console to the gateway's configuration"),
    HttpApiEndpoint.delete("remove", "/api/mcp/gateway", {
      success: GatewayAgentsState,
      error: [TooOld, ServerTaken, GatewayFailure, StoreFailure]
    }).annotate(OpenApi.Summary, "Remove the console from the gateway's configuration and revoke the token")
  )
  .annotate(OpenApi.Title, "The gateway's agents") {}

import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AgentList } from "../../../contract/schema/knowledge.ts"
import { Right, rights } from "../../Right.ts"
import { GatewayFailure, gatewayQuery, UnknownGatewayError } from "../../serviceErrors.ts"

/** The gateway's agents; their ids select whose memory, documents and files to use. */
export class AgentsApi extends HttpApiGroup.make("agents")
  .add(
    HttpApiEndpoint.get("list", "/api/agents", {
      query: gatewayQuery,
      success: AgentList,
      error: [GatewayFailure, UnknownGatewayError]
    }).annotate(
      OpenApi.Summary,
      "List the agents of a gateway, the default one first, with the state of their workspaces"
    )
  )
  .annotate(Right, rights("read", "manage"))
  .annotate(OpenApi.Title, "Agents") {}

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AgentId } from "../../../services/knowledge/agents/gatewayAgents.ts"
import { GatewayFailure, gatewayQuery, UnknownGatewayError } from "../../serviceErrors.ts"

const AgentEntry = Schema.Struct({
  id: AgentId,
  name: Schema.String,
  isDefault: Schema.Boolean,
  workspace: Schema.Literals(["ready", "new", "unavailable"]),
  details: Schema.optionalKey(Schema.String)
})

/** The gateway's agents; their ids select whose memory, documents and files to use. */
export class AgentsApi extends HttpApiGroup.make("agents")
  .add(
    HttpApiEndpoint.get("list", "/api/agents", {
      query: gatewayQuery,
      success: Schema.Struct({ ok: Schema.Literal(true), agents: Schema.Array(AgentEntry) }),
      error: [GatewayFailure, UnknownGatewayError]
    }).annotate(
      OpenApi.Summary,
      "List the agents of a gateway, the default one first, with the state of their workspaces"
    )
  )
  .annotate(OpenApi.Title, "Agents") {}

import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { SkillList } from "../../../contract/schema/gateway.ts"
import { Right, rights } from "../../Right.ts"
import { GatewayFailure, gatewayQuery, UnknownGatewayError } from "../../serviceErrors.ts"

/** The agents' skills. */
export class SkillsApi extends HttpApiGroup.make("skills")
  .add(
    HttpApiEndpoint.get("list", "/api/skills", {
      query: gatewayQuery,
      success: SkillList,
      error: [UnknownGatewayError, GatewayFailure]
    }).annotate(OpenApi.Summary, "List the gateway's skills and whether each can be used")
  )
  .annotate(Right, rights("read", "manage"))
  .annotate(OpenApi.Title, "Skills") {}

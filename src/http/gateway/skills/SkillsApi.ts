import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Skill } from "../../../services/gateway/skills/skillSchemas.ts"
import { GatewayFailure } from "../../gatewayErrors.ts"
import { gatewayQuery, UnknownGatewayError } from "../gateways/unknownGateway.ts"

/** The agents' skills. */
export class SkillsApi extends HttpApiGroup.make("skills")
  .add(
    HttpApiEndpoint.get("list", "/api/skills", {
      query: gatewayQuery,
      success: Schema.Struct({ ok: Schema.Literal(true), skills: Schema.Array(Skill) }),
      error: [UnknownGatewayError, GatewayFailure]
    }).annotate(OpenApi.Summary, "List the gateway's skills and whether each can be used")
  )
  .annotate(OpenApi.Title, "Skills") {}

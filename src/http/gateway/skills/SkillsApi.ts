import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Skill } from "../../../services/gateway/skills/Skills.ts"
import { GatewayFailure, gatewayQuery, UnknownGatewayError } from "../../serviceErrors.ts"

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

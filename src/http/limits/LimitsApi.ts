import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AgentALimits, AgentBLimits, Unavailable } from "../../services/limits/limitReport.ts"

/** Rate limits of the coding agents on this machine (SPEC "Coding-agent limits"). */
export class LimitsApi extends HttpApiGroup.make("limits")
  .add(
    HttpApiEndpoint.get("agentA", "/api/agent-a-limits", {
      success: Schema.Union([AgentALimits, Unavailable])
    }).annotate(OpenApi.Summary, "Limits of agent A: from its service, else from its session files"),
    HttpApiEndpoint.get("agentB", "/api/agent-b-limits", {
      success: Schema.Union([AgentBLimits, Unavailable])
    }).annotate(OpenApi.Summary, "Limits of agent B, read from its tool's output")
  )
  .annotate(OpenApi.Title, "Coding-agent limits") {}

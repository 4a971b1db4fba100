import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AgentALimits, AgentBLimits, LimitsUnavailable } from "../../../contract/schema/usage.ts"
import { Right, rights } from "../../Right.ts"

/** Rate limits of the coding agents on this machine. */
export class LimitsApi extends HttpApiGroup.make("limits")
  .add(
    HttpApiEndpoint.get("agentA", "/api/agent-a-limits", {
      success: Schema.Union([AgentALimits, LimitsUnavailable])
    }).annotate(OpenApi.Summary, "Get agent A's limits, from its service or else from its session files"),
    HttpApiEndpoint.get("agentB", "/api/agent-b-limits", {
      success: Schema.Union([AgentBLimits, LimitsUnavailable])
    }).annotate(OpenApi.Summary, "Get agent B's limits, from its tool's output")
  )
  .annotate(Right, rights("read", "own"))
  .annotate(OpenApi.Title, "Coding-agent limits") {}

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AgentLogEntry, AgentLogInput } from "../../services/agentlog/AgentLog.ts"
import { StorageFailureError } from "../storageErrors.ts"

/** What agents report of themselves (SPEC "Agent log"). */
export class AgentLogApi extends HttpApiGroup.make("agentlog")
  .add(
    HttpApiEndpoint.get("list", "/api/agentlog", {
      success: Schema.Array(AgentLogEntry),
      error: StorageFailureError
    }).annotate(OpenApi.Summary, "The last 200 entries, oldest first"),
    HttpApiEndpoint.post("append", "/api/agentlog", {
      payload: AgentLogInput,
      success: Schema.Struct({ ok: Schema.Literal(true), entry: AgentLogEntry }),
      error: StorageFailureError
    }).annotate(OpenApi.Summary, "Add an entry; its time is the server's")
  )
  .annotate(OpenApi.Title, "Agent log") {}

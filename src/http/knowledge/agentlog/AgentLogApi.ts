import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AgentLogEntry, AgentLogInput } from "../../../services/knowledge/agentlog/AgentLog.ts"
import { StorageFailureError } from "../../storageErrors.ts"

/** What agents report about themselves. */
export class AgentLogApi extends HttpApiGroup.make("agentlog")
  .add(
    HttpApiEndpoint.get("list", "/api/agentlog", {
      success: Schema.Array(AgentLogEntry),
      error: StorageFailureError
    }).annotate(OpenApi.Summary, "List the last 200 entries, oldest first"),
    HttpApiEndpoint.post("append", "/api/agentlog", {
      payload: AgentLogInput,
      success: Schema.Struct({ ok: Schema.Literal(true), entry: AgentLogEntry }),
      error: StorageFailureError
    }).annotate(OpenApi.Summary, "Add an entry; its timestamp is the server's")
  )
  .annotate(OpenApi.Title, "Agent log") {}

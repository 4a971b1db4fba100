import { ByteSize } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AgentLogAdded, AgentLogEntries, AgentLogInput } from "../../../contract/schema/knowledge.ts"
import { Right, rights } from "../../Right.ts"
import { Mark, mark } from "../../RouteMark.ts"
import { StorageFailureError } from "../../serviceErrors.ts"

/** What agents report about themselves. */
export class AgentLogApi extends HttpApiGroup.make("agentlog")
  .add(
    HttpApiEndpoint.get("list", "/api/agentlog", {
      success: AgentLogEntries,
      error: StorageFailureError
    })
      .annotate(OpenApi.Summary, "List the last 200 entries, oldest first")
      .annotate(Mark, mark({ rate: undefined })),
    HttpApiEndpoint.post("append", "/api/agentlog", {
      payload: AgentLogInput,
      success: AgentLogAdded,
      error: StorageFailureError
    })
      .annotate(OpenApi.Summary, "Add an entry; its timestamp is the server's")
      .annotate(Mark, mark({ bodyLimit: ByteSize.kibibytes(64) }))
  )
  .annotate(Right, rights("read", "talk"))
  .annotate(OpenApi.Title, "Agent log") {}

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { failure } from "../../../contract/failures.ts"
import {
  MemoryAdded,
  MemoryDate,
  MemoryDeleted,
  MemoryDeletion,
  MemoryInput,
  MemoryList,
  MemorySectionInput,
  SavedSection,
  VersionedText
} from "../../../contract/schema/knowledge.ts"
import { TextChanged } from "../../../services/knowledge/files/TextFiles.ts"
import { MemoryNotFound } from "../../../services/knowledge/memory/Memory.ts"
import { errorBody } from "../../errorBody.ts"
import { Right, rights } from "../../Right.ts"
import { StorageFailureError } from "../../serviceErrors.ts"
import { OWNER_ERRORS } from "../agents/agentErrorBodies.ts"
import { ownerQuery } from "../agents/agentQuery.ts"

const Changed = errorBody(TextChanged, {
  code: "conflict",
  status: 409,
  details: () => failure("SECTION_CHANGED")
})
const NotFound = errorBody(MemoryNotFound, { code: "not_found", status: 404 })

/** What agents remember. */
export class MemoryApi extends HttpApiGroup.make("memory")
  .add(
    HttpApiEndpoint.get("list", "/api/memories", {
      query: ownerQuery,
      success: MemoryList,
      error: [...OWNER_ERRORS, StorageFailureError]
    }).annotate(OpenApi.Summary, "List long-term sections and bullets, and the headings of the last seven daily files"),
    HttpApiEndpoint.get("section", "/api/memories/section", {
      query: { ...ownerQuery, title: Schema.String.check(Schema.isMinLength(1)), date: Schema.optionalKey(MemoryDate) },
      success: VersionedText,
      error: [...OWNER_ERRORS, NotFound, StorageFailureError]
    }).annotate(OpenApi.Summary, "Get a section's content by its exact title"),
    HttpApiEndpoint.post("add", "/api/memories", {
      query: ownerQuery,
      payload: MemoryInput,
      success: MemoryAdded,
      error: [...OWNER_ERRORS, StorageFailureError]
    }).annotate(OpenApi.Summary, "Add a bullet, also to the gateway's vector store"),
    HttpApiEndpoint.put("replaceSection", "/api/memories/section", {
      query: ownerQuery,
      payload: MemorySectionInput,
      success: SavedSection,
      error: [...OWNER_ERRORS, NotFound, Changed, StorageFailureError]
    }).annotate(
      OpenApi.Summary,
      "Replace a section's content; with `version`, only if it's unchanged since it was read"
    ),
    HttpApiEndpoint.delete("remove", "/api/memories", {
      query: ownerQuery,
      payload: MemoryDeletion,
      success: MemoryDeleted,
      error: [...OWNER_ERRORS, NotFound, StorageFailureError]
    }).annotate(OpenApi.Summary, "Remove a bullet by its exact text, or a section with its content")
  )
  .annotate(Right, rights("read", "manage"))
  .annotate(OpenApi.Title, "Memory") {}

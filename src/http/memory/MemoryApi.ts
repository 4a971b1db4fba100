import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { TextChanged } from "../../services/files/TextChanged.ts"
import { MemoryNotFound } from "../../services/memory/Memory.ts"
import {
  MemoryDate,
  MemoryDeletion,
  MemoryEntry,
  MemoryInput,
  MemorySectionInput
} from "../../services/memory/memorySchemas.ts"
import { errorBody } from "../errorBody.ts"
import { StorageFailureError } from "../storageErrors.ts"

const Ok = Schema.Literal(true)
const Changed = errorBody(TextChanged, {
  code: "conflict",
  status: 409,
  details: () => "the section has changed since it was read: read it again, then save"
})
const NotFound = errorBody(MemoryNotFound, { code: "not_found", status: 404 })

/** What the agent remembers (SPEC "Memories"). */
export class MemoryApi extends HttpApiGroup.make("memory")
  .add(
    HttpApiEndpoint.get("list", "/api/memories", {
      success: Schema.Array(MemoryEntry),
      error: StorageFailureError
    }).annotate(OpenApi.Summary, "Long-term sections and bullets, and the headings of the seven latest days"),
    HttpApiEndpoint.get("section", "/api/memories/section", {
      query: { title: Schema.String.check(Schema.isMinLength(1)), date: Schema.optionalKey(MemoryDate) },
      success: Schema.Struct({ ok: Ok, content: Schema.String }),
      error: [NotFound, StorageFailureError]
    }).annotate(OpenApi.Summary, "Content of one section, by its exact title"),
    HttpApiEndpoint.post("add", "/api/memories", {
      payload: MemoryInput,
      success: Schema.Struct({
        ok: Ok,
        result: Schema.Struct({
          written: Schema.Boolean,
          section: Schema.String,
          vectorStore: Schema.optionalKey(Schema.Literals(["stored", "failed"])),
          details: Schema.optionalKey(Schema.String)
        })
      }),
      error: StorageFailureError
    }).annotate(OpenApi.Summary, "Add one bullet; the gateway's vector store is told as well"),
    HttpApiEndpoint.put("replaceSection", "/api/memories/section", {
      payload: MemorySectionInput,
      success: Schema.Struct({ ok: Ok, ...MemorySectionInput.fields, version: Schema.String }),
      error: [NotFound, Changed, StorageFailureError]
    }).annotate(OpenApi.Summary, "Replace the content of one section, with `version` only as it was read"),
    HttpApiEndpoint.delete("remove", "/api/memories", {
      payload: MemoryDeletion,
      success: Schema.Struct({
        ok: Ok,
        result: Schema.Struct({
          deleted: Schema.Int,
          source: Schema.String,
          file: Schema.String,
          type: Schema.String
        })
      }),
      error: [NotFound, StorageFailureError]
    }).annotate(OpenApi.Summary, "Remove a bullet by its exact text, or a section with its content")
  )
  .annotate(OpenApi.Title, "Memory") {}

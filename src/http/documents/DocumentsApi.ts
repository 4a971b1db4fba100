import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { DocumentKey, DocumentMissing, DocumentTooLarge } from "../../services/documents/Documents.ts"
import { TextChanged } from "../../services/files/TextChanged.ts"
import { errorBody } from "../errorBody.ts"
import { StorageFailureError } from "../storageErrors.ts"

const Ok = Schema.Literal(true)
const params = { key: DocumentKey }
const TooLarge = errorBody(DocumentTooLarge, { code: "Request body too large", status: 413 })
const Changed = errorBody(TextChanged, {
  code: "conflict",
  status: 409,
  details: () => "the document has changed since it was read: read it again, then save"
})
const Missing = errorBody(DocumentMissing, { code: "not_found", status: 404 })

/** The six fixed documents of the workspace (SPEC "Workspace files"). */
export class DocumentsApi extends HttpApiGroup.make("documents")
  .add(
    HttpApiEndpoint.get("list", "/api/workspace", {
      success: Schema.Struct({
        ok: Ok,
        files: Schema.Array(Schema.Struct({ key: DocumentKey, filename: Schema.String, exists: Schema.Boolean }))
      }),
      error: StorageFailureError
    }).annotate(OpenApi.Summary, "Which documents there are"),
    HttpApiEndpoint.get("read", "/api/workspace/:key", {
      params,
      success: Schema.Struct({ ok: Ok, content: Schema.String }),
      error: [Missing, StorageFailureError]
    }).annotate(OpenApi.Summary, "Content of one document"),
    HttpApiEndpoint.put("write", "/api/workspace/:key", {
      params,
      payload: Schema.Struct({ content: Schema.String, version: Schema.optionalKey(Schema.NullOr(Schema.String)) }),
      success: Schema.Struct({ ok: Ok, key: DocumentKey, content: Schema.String, version: Schema.String }),
      error: [TooLarge, Changed, StorageFailureError]
    }).annotate(
      OpenApi.Summary,
      "Replace or make a document, with `version` only as it was read (null: not there); at most 100 KB"
    )
  )
  .annotate(OpenApi.Title, "Documents") {}

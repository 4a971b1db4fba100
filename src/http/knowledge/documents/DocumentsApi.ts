import { ByteSize, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { failure } from "../../../contract/failures.ts"
import { DocumentKey, DocumentList, SavedDocument, VersionedText } from "../../../contract/schema/knowledge.ts"
import { DocumentMissing, DocumentTooLarge } from "../../../services/knowledge/documents/Documents.ts"
import { TextChanged } from "../../../services/knowledge/files/TextFiles.ts"
import { errorBody } from "../../errorBody.ts"
import { Right, rights } from "../../Right.ts"
import { Mark, mark } from "../../RouteMark.ts"
import { StorageFailureError } from "../../serviceErrors.ts"
import { OWNER_ERRORS } from "../agents/agentErrorBodies.ts"
import { ownerQuery } from "../agents/agentQuery.ts"

const params = { key: DocumentKey }
const TooLarge = errorBody(DocumentTooLarge, { code: "Request body too large", status: 413 })
const Changed = errorBody(TextChanged, {
  code: "conflict",
  status: 409,
  details: () => failure("DOCUMENT_CHANGED")
})
const Missing = errorBody(DocumentMissing, { code: "not_found", status: 404 })

/** JSON escapes make 100 KB of text larger, by a factor of six at worst; the route checks the text itself. */
const MAX_DOCUMENT = ByteSize.kibibytes(640)

/** The six fixed documents of an agent's workspace. */
export class DocumentsApi extends HttpApiGroup.make("documents")
  .add(
    HttpApiEndpoint.get("list", "/api/workspace", {
      query: ownerQuery,
      success: DocumentList,
      error: [...OWNER_ERRORS, StorageFailureError]
    }).annotate(OpenApi.Summary, "List the documents"),
    HttpApiEndpoint.get("read", "/api/workspace/:key", {
      params,
      query: ownerQuery,
      success: VersionedText,
      error: [...OWNER_ERRORS, Missing, StorageFailureError]
    }).annotate(OpenApi.Summary, "Get a document's content"),
    HttpApiEndpoint.put("write", "/api/workspace/:key", {
      params,
      query: ownerQuery,
      payload: Schema.Struct({ content: Schema.String, version: Schema.optionalKey(Schema.NullOr(Schema.String)) }),
      success: SavedDocument,
      error: [...OWNER_ERRORS, TooLarge, Changed, StorageFailureError]
    })
      .annotate(
        OpenApi.Summary,
        "Save a document of up to 100 KB; with `version`, only if it's unchanged since it was read (null: doesn't exist yet)"
      )
      .annotate(Mark, mark({ bodyLimit: MAX_DOCUMENT }))
  )
  .annotate(Right, rights("read", "manage"))
  .annotate(OpenApi.Title, "Documents") {}

import { ByteSize, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { MAX_SENT_NAME, MAX_UPLOADED_FILE } from "../../../contract/answers/UploadAnswers.ts"
import { failure } from "../../../contract/failures.ts"
import { filledText, required } from "../../../contract/schema/fields.ts"
import { UploadsFull } from "../../../services/knowledge/uploads/Uploads.ts"
import { errorBody } from "../../errorBody.ts"
import { Mark, mark } from "../../RouteMark.ts"
import { FILE_ERRORS, OWNER_ERRORS } from "../agents/agentErrorBodies.ts"
import { ownerQuery } from "../agents/agentQuery.ts"

/** 409 when there's no room for another file. */
const UploadsFullError = errorBody(UploadsFull, {
  code: "uploads_full",
  status: 409,
  details: () => failure("UPLOADS_FULL")
})

/** A name that a file system could have; what of it isn't safe is left out before the file is kept. */
const SentName = filledText(MAX_SENT_NAME).check(
  Schema.makeFilter((name: string) => name.isWellFormed() && !name.includes("\0"), { message: "isn't a file's name" })
)

/** Files that come with messages. */
export class UploadsApi extends HttpApiGroup.make("uploads")
  .add(
    HttpApiEndpoint.post("add", "/api/uploads", {
      query: { ...ownerQuery, name: required(SentName) },
      payload: HttpApiSchema.StreamUint8Array(),
      success: Schema.Struct({ ok: Schema.Literal(true), path: Schema.String, size: Schema.Int }).pipe(
        HttpApiSchema.status(201)
      ),
      error: [...OWNER_ERRORS, ...FILE_ERRORS, UploadsFullError]
    })
      .annotate(
        OpenApi.Summary,
        "Put a file of up to 100 MB, sent as it is, into an agent's workspace; nothing there is ever replaced"
      )
      .annotate(Mark, mark({ bodyLimit: ByteSize.bytes(MAX_UPLOADED_FILE), body: "bytes" }))
  )
  .annotate(OpenApi.Title, "Uploads") {}

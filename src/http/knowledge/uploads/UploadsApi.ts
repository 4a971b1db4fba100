import { ByteSize, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { failure } from "../../../contract/failures.ts"
import { MAX_UPLOADED_FILE } from "../../../contract/limits.ts"
import { filledText, required } from "../../../contract/schema/fields.ts"
import { UploadedFile } from "../../../contract/schema/files.ts"
import { UploadsFull } from "../../../services/knowledge/uploads/Uploads.ts"
import { errorBody } from "../../errorBody.ts"
import { Right, rights } from "../../Right.ts"
import { Mark, mark } from "../../RouteMark.ts"
import { FILE_ERRORS, OWNER_ERRORS } from "../agents/agentErrorBodies.ts"
import { ownerQuery } from "../agents/agentQuery.ts"

/** 409 when there's no room for another file. */
const UploadsFullError = errorBody(UploadsFull, {
  code: "uploads_full",
  status: 409,
  details: () => failure("UPLOADS_FULL")
})

/** Longest name as it's sent; it's made shorter before the file is kept. */
const MAX_SENT_NAME = 1_000

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
      success: UploadedFile.pipe(HttpApiSchema.status(201)),
      error: [...OWNER_ERRORS, ...FILE_ERRORS, UploadsFullError]
    })
      .annotate(
        OpenApi.Summary,
        "Put a file of up to 100 MB, sent as it is, into an agent's workspace; nothing there is ever replaced"
      )
      .annotate(Mark, mark({ bodyLimit: ByteSize.bytes(MAX_UPLOADED_FILE), body: "bytes" }))
  )
  .annotate(Right, rights("talk", "talk"))
  .annotate(OpenApi.Title, "Uploads") {}

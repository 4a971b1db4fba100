import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  InboundName,
  MediaId,
  MediaMissing,
  MediaSession,
  MediaTooLarge,
  MediaUnsupported
} from "../../../services/gateway/media/mediaRules.ts"
import { ImagePlace } from "../../../services/knowledge/media/TranscriptImages.ts"
import { errorBody } from "../../errorBody.ts"
import { Right, rights } from "../../Right.ts"
import { GatewayFailure, UnknownGatewayError } from "../../serviceErrors.ts"
import { FILE_ERRORS } from "../agents/agentErrorBodies.ts"

const MEDIA_ERRORS = [
  errorBody(MediaMissing, { code: "not_found", status: 404, details: (error) => error }),
  errorBody(MediaTooLarge, { code: "file_too_large", status: 413, details: (error) => error }),
  errorBody(MediaUnsupported, { code: "unsupported_media_type", status: 415, details: (error) => error }),
  GatewayFailure,
  UnknownGatewayError
] as const

/** Pictures, recordings and PDFs in conversations, stored by the gateway; each has its own address. */
export class MediaApi extends HttpApiGroup.make("media")
  .add(
    HttpApiEndpoint.get("outgoing", "/api/gateway/media/outgoing/:session/:id", {
      params: { session: MediaSession, id: MediaId },
      success: HttpApiSchema.StreamUint8Array(),
      error: MEDIA_ERRORS
    }).annotate(OpenApi.Summary, "Get a picture, recording or PDF an agent sent, or one byte range of it"),
    HttpApiEndpoint.get("inbound", "/api/gateway/media/inbound/:name", {
      params: { name: InboundName },
      success: HttpApiSchema.StreamUint8Array(),
      error: MEDIA_ERRORS
    }).annotate(OpenApi.Summary, "Get a picture, recording or PDF a person sent, or one byte range of it"),
    HttpApiEndpoint.get("message", "/api/gateway/media/message/:agent/:session/:message/:index", {
      params: ImagePlace.fields,
      success: HttpApiSchema.StreamUint8Array(),
      error: FILE_ERRORS
    }).annotate(
      OpenApi.Summary,
      "Get a picture a person sent, from the transcript of a gateway that doesn't serve pictures"
    )
  )
  .annotate(Right, rights("read", "manage"))
  .annotate(OpenApi.Title, "Pictures and recordings") {}

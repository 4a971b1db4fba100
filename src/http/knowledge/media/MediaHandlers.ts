import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { keyParts } from "../../../contract/qualifiedKey.ts"
import { GatewayMedia, type MediaConditions, type OpenMedia } from "../../../services/gateway/media/GatewayMedia.ts"
import { TranscriptImages } from "../../../services/knowledge/media/TranscriptImages.ts"
import { gatewayService } from "../../gateway/gateways/unknownGateway.ts"
import { routeHandlers } from "../../routeHandlers.ts"
import { mediaHeaders } from "./mediaHeaders.ts"

const conditionsOf = ({ headers }: HttpServerRequest.HttpServerRequest): MediaConditions => ({
  range: headers.range,
  ifRange: headers["if-range"],
  ifNoneMatch: headers["if-none-match"]
})

/** Passes on the gateway's response with the console's own headers. */
const answer = (request: HttpServerRequest.HttpServerRequest, media: OpenMedia) => {
  const { bytes, contentRange, contentType, etag, length, name, status } = media
  const facts = {
    ...(etag === undefined ? {} : { etag }),
    ...(contentRange === undefined ? {} : { "content-range": contentRange })
  }
  if (contentType === undefined) return HttpServerResponse.empty({ status, headers: facts })
  return HttpServerResponse.stream(bytes, {
    status,
    contentType,
    ...(length === undefined ? {} : { contentLength: length }),
    headers: {
      ...mediaHeaders(contentType, request.headers["sec-fetch-dest"], name ?? "file"),
      ...facts,
      "accept-ranges": "bytes"
    }
  })
}

export const MediaHandlers = routeHandlers(
  "media",
  Effect.fn(function* (handlers) {
    const of = yield* gatewayService
    const images = yield* TranscriptImages
    return handlers.handleAll({
      outgoing: ({ params: { session, id }, request }) => {
        const { gatewayId, key } = keyParts(session)
        return of(GatewayMedia, { gateway: gatewayId }).pipe(
          Effect.flatMap((media) => media.outgoing(key, id, conditionsOf(request))),
          Effect.map((found) => answer(request, found))
        )
      },
      inbound: ({ params: { name }, request }) => {
        const { gatewayId, key } = keyParts(name)
        return of(GatewayMedia, { gateway: gatewayId }).pipe(
          Effect.flatMap((media) => media.inbound(key, conditionsOf(request))),
          Effect.map((found) => answer(request, found))
        )
      },
      message: ({ params, request }) =>
        Effect.map(images.read(params), ({ contentType, data }) =>
          HttpServerResponse.uint8Array(data, {
            contentType,
            headers: mediaHeaders(contentType, request.headers["sec-fetch-dest"], "picture")
          })
        )
    })
  })
)

import { ByteSize, Context, Effect, Layer, Redacted, Stream } from "effect"
import { HttpClientRequest, type HttpClientResponse } from "effect/http"
import { failure } from "../../../contract/failures.ts"
import { isRedirect, outgoingHttp } from "../../platform/outgoing/OutgoingHttp.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import { tokenInUse } from "../client/FoundToken.ts"
import { GatewayError } from "../client/GatewayError.ts"
import { GatewayNaming, noToken, openFailed } from "../client/gatewayFailures.ts"
import {
  fileNameOf,
  inboundPath,
  MediaMissing,
  MediaTooLarge,
  MediaUnsupported,
  mediaTypeOf,
  outgoingPath
} from "./mediaRules.ts"

/** What a client already has, and which part it wants. */
export interface MediaConditions {
  readonly range?: string | undefined
  readonly ifRange?: string | undefined
  readonly ifNoneMatch?: string | undefined
}

/** A file from the gateway: whole (200), partial (206), or without a body (304, 416). */
export interface OpenMedia {
  readonly status: 200 | 206 | 304 | 416
  /** Absent if nothing is sent. */
  readonly contentType: string | undefined
  readonly name: string | undefined
  readonly length: number | undefined
  readonly etag: string | undefined
  readonly contentRange: string | undefined
  readonly bytes: Stream.Stream<Uint8Array, GatewayError>
}

export type MediaError = MediaMissing | MediaUnsupported | MediaTooLarge | GatewayError

export interface GatewayMediaShape {
  /** A file an agent sent in a session. */
  readonly outgoing: (session: string, id: string, conditions: MediaConditions) => Effect.Effect<OpenMedia, MediaError>
  /** A file a person sent, by its name on the gateway. */
  readonly inbound: (name: string, conditions: MediaConditions) => Effect.Effect<OpenMedia, MediaError>
}

/** How long the gateway may take to start, and to continue. */
const PATIENCE = "15 seconds"
/** The maximum passed on of one file. */
const MAX_BYTES = 64 * 1024 * 1024

const RANGE = /^bytes=\d{0,15}-\d{0,15}$/
const ETAG = /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/
const CONTENT_RANGE = /^bytes (?:\d+-\d+|\*)\/\d+$/

const tooSlow = new GatewayError({
  reason: "timeout",
  ...failure("FILE_TIMED_OUT")
})

const brokenOff = new GatewayError({
  reason: "failed",
  ...failure("FILE_INTERRUPTED")
})

const refused = new GatewayError({
  reason: "refused",
  ...failure("FILE_REFUSED")
})

const failed = new GatewayError({
  reason: "failed",
  ...failure("FILE_FAILED")
})

const missing = new MediaMissing(failure("FILE_GONE"))
const unsupported = new MediaUnsupported(failure("FILE_TYPE_NOT_SHOWN"))
const tooLarge = new MediaTooLarge(failure("FILE_TOO_LARGE_TO_SHOW"))

const only = (value: string | undefined, pattern: RegExp): string | undefined =>
  value !== undefined && pattern.test(value) ? value : undefined

const set = (name: string, value: string | undefined) =>
  value === undefined ? (same: HttpClientRequest.HttpClientRequest) => same : HttpClientRequest.setHeader(name, value)

/**
 * Pictures, recordings and PDFs in conversations, fetched from the gateway with the console's token, which browsers
 * never get. Only the gateway's two addresses for such files are requested, and redirects aren't followed.
 */
export class GatewayMedia extends Context.Service<GatewayMedia, GatewayMediaShape>()(
  "agent-console/services/knowledge/media/GatewayMedia"
) {
  static readonly layer = Layer.effect(
    GatewayMedia,
    Effect.gen(function* () {
      const { gatewayUrl } = yield* Settings
      const token = yield* tokenInUse
      const client = yield* outgoingHttp
      const names = yield* GatewayNaming

      /** Discards an unwanted body, so that the connection is free again. */
      const leave = (response: HttpClientResponse.HttpClientResponse) =>
        response.stream.pipe(Stream.take(1), Stream.runDrain, Effect.ignore)

      const refusalOf = (status: number): MediaError => {
        if (isRedirect(status)) return openFailed(gatewayUrl, { status }, names)
        if (status === 404) return missing
        return status === 401 || status === 403 ? refused : failed
      }

      const bytesOf = (response: HttpClientResponse.HttpClientResponse) =>
        response.stream.pipe(
          Stream.mapError(() => brokenOff),
          Stream.timeoutOrElse({ duration: PATIENCE, orElse: () => Stream.fail(tooSlow) }),
          Stream.limitBytes(ByteSize.bytes(MAX_BYTES), () => Stream.fail(brokenOff))
        )

      const read = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse) {
        const { status, headers } = response
        const give = Effect.fnUntraced(function* (error: MediaError) {
          yield* leave(response)
          return yield* error
        })
        const etag = only(headers.etag, ETAG)
        const contentRange = only(headers["content-range"], CONTENT_RANGE)
        const nothing = { contentType: undefined, name: undefined, length: undefined, bytes: Stream.empty }
        if (status === 304 || status === 416) {
          yield* leave(response)
          return { ...nothing, status, etag, contentRange } satisfies OpenMedia
        }
        if (status !== 200 && status !== 206) return yield* give(refusalOf(status))
        const contentType = mediaTypeOf(headers["content-type"])
        if (contentType === undefined) return yield* give(unsupported)
        const length = only(headers["content-length"], /^\d{1,15}$/)
        if (length !== undefined && Number(length) > MAX_BYTES) return yield* give(tooLarge)
        if (status === 206 && contentRange === undefined) return yield* give(failed)
        return {
          status,
          contentType,
          name: fileNameOf(headers["content-disposition"]),
          length: length === undefined ? undefined : Number(length),
          etag,
          contentRange: status === 206 ? contentRange : undefined,
          bytes: bytesOf(response)
        } satisfies OpenMedia
      })

      const open = Effect.fnUntraced(function* (path: string, conditions: MediaConditions) {
        const gatewayToken = token()
        if (gatewayToken === undefined) return yield* noToken
        const request = HttpClientRequest.get(`${gatewayUrl}${path}`).pipe(
          HttpClientRequest.bearerToken(Redacted.value(gatewayToken)),
          HttpClientRequest.setHeader("accept-encoding", "identity"),
          set("range", only(conditions.range?.replaceAll(" ", ""), RANGE)),
          set("if-range", only(conditions.ifRange, ETAG)),
          set("if-none-match", only(conditions.ifNoneMatch, ETAG))
        )
        const response = yield* client.execute(request).pipe(
          Effect.mapError(() => openFailed(gatewayUrl, {}, names)),
          Effect.timeoutOrElse({ duration: PATIENCE, orElse: () => Effect.fail(tooSlow) })
        )
        return yield* read(response)
      })

      return GatewayMedia.of({
        outgoing: Effect.fn("GatewayMedia.outgoing")((session, id, conditions) =>
          open(outgoingPath(session, id), conditions)
        ),
        inbound: Effect.fn("GatewayMedia.inbound")((name, conditions) => open(inboundPath(name), conditions))
      })
    })
  )
}

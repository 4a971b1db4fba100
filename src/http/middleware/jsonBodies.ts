import { Effect } from "effect"
import { Headers, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { errorResponse } from "../apiResponse.ts"
import type { Check, RequestContext } from "./RequestContext.ts"

const JSON_TYPE = "application/json"
const BYTES_TYPE = "application/octet-stream"
/** A longer body can't be an accidental `null` with whitespace. */
const MAX_NULL_LENGTH = 16

type Request = HttpServerRequest.HttpServerRequest
type Response<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

const hasBody = ({ headers }: RequestContext): boolean =>
  headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined

const FORM_EXPECTED = "the body must be a multipart form"
const formExpected = errorResponse(415, "unsupported_media_type", FORM_EXPECTED)
const formMissing = errorResponse(400, "validation_error", FORM_EXPECTED)

/** Rejects what isn't a form where one is expected. */
export const formBodies: Effect.Effect<Check> = Effect.succeed((context) => {
  if (context.route.mark.body !== "form") return undefined
  const { headers } = context
  if (!hasBody(context) || headers["content-length"] === "0") return formMissing
  return /^multipart\/form-data\b/i.test(headers["content-type"] ?? "") ? undefined : formExpected
})

const mayBeNull = ({ headers }: RequestContext): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) <= MAX_NULL_LENGTH

const isNull = errorResponse(400, "validation_error", "the body must be a JSON object, not null")

// A body that can't be read is explained with all other failures.
const refuseNull = <E, R>(request: Request, answer: Response<E, R>): Response<E, R> =>
  Effect.flatMap(Effect.orDie(request.text), (text) => (text.trim() === "null" ? Effect.succeed(isNull) : answer))

/** The request as if its body had been sent with that type. */
const typed = (type: string, { request, headers }: RequestContext): Request =>
  headers["content-type"] === type
    ? request
    : request.modify({ headers: Headers.set(request.headers, "content-type", type) })

/**
 * Lets a route decode its body by the route's mark, whatever Content-Type says. An optional JSON body would also accept
 * `null`, so that's rejected here.
 */
export const readAsMarked = <E, R>(context: RequestContext, answer: Response<E, R>): Response<E, R> => {
  const { body } = context.route.mark
  if (body === "form" || body === "raw" || (body === "json" && !hasBody(context))) return answer
  const request = typed(body === "bytes" ? BYTES_TYPE : JSON_TYPE, context)
  const read = body === "json" && mayBeNull(context) ? refuseNull(request, answer) : answer
  return request === context.request ? read : Effect.provideService(read, HttpServerRequest.HttpServerRequest, request)
}

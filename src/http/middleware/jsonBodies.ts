import { Effect } from "effect"
import { Headers, HttpServerRequest } from "effect/http"
import { errorResponse } from "../apiResponse.ts"
import type { Answer, Middleware } from "./Middleware.ts"

const JSON_TYPE = "application/json"
/** The routes that SPEC gives a multipart form; every other body is JSON. */
const FORM_PATHS = new Set(["/api/transcribe", "/api/files/upload"])
/** A longer body cannot be `null` and blanks that anybody sends by mistake. */
const MAX_NULL_LENGTH = 16

const isForm = (headers: Headers.Headers): boolean => /^multipart\/form-data\b/i.test(headers["content-type"] ?? "")

const formExpected = errorResponse(415, "unsupported_media_type", "the body must be a multipart form")

const mayBeNull = (headers: Headers.Headers): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) <= MAX_NULL_LENGTH

const refuseNull = (next: Answer): Answer =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    Effect.flatMap(request.text, (text) =>
      text.trim() === "null"
        ? Effect.succeed(errorResponse(400, "validation_error", "the body must be a JSON object, not null"))
        : next
    )
  )

/**
 * Has every API body but that of a form decoded as JSON, whatever its Content-Type says (D11). A body that may be absent
 * would decode from `null` as well, so that is refused here (D10).
 */
export const jsonBodies: Effect.Effect<Middleware> = Effect.succeed((next) => (exchange) => {
  const { request } = exchange
  const hasBody = request.headers["content-length"] !== undefined || request.headers["transfer-encoding"] !== undefined
  if (!hasBody || !exchange.isApi) return next(exchange)
  if (FORM_PATHS.has(exchange.path)) return isForm(request.headers) ? next(exchange) : Effect.succeed(formExpected)
  const step = mayBeNull(request.headers) ? refuseNull(next(exchange)) : next(exchange)
  if (request.headers["content-type"] === JSON_TYPE) return step
  return Effect.provideService(
    step,
    HttpServerRequest.HttpServerRequest,
    request.modify({ headers: Headers.set(request.headers, "content-type", JSON_TYPE) })
  )
})

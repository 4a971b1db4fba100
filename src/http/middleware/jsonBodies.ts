import { Effect } from "effect"
import { Headers, HttpServerRequest } from "effect/http"
import { errorResponse } from "../apiResponse.ts"
import type { Answer, Middleware } from "./Middleware.ts"

const JSON_TYPE = "application/json"
/** The routes that take a multipart form; every other body is JSON. */
const FORM_PATHS = new Set(["/api/transcribe", "/api/files/upload"])
/** The route that takes a file's bytes as they are. */
const BYTES_PATH = "/api/uploads"
const BYTES_TYPE = "application/octet-stream"
/** A longer body can't be an accidental `null` with whitespace. */
const MAX_NULL_LENGTH = 16

const isForm = (headers: Headers.Headers): boolean => /^multipart\/form-data\b/i.test(headers["content-type"] ?? "")

const FORM_EXPECTED = "the body must be a multipart form"
const formExpected = errorResponse(415, "unsupported_media_type", FORM_EXPECTED)
const formMissing = errorResponse(400, "validation_error", FORM_EXPECTED)

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

/** Answers as if the body had been sent with that type. */
const as = (type: string, request: HttpServerRequest.HttpServerRequest, answer: Answer): Answer =>
  request.headers["content-type"] === type
    ? answer
    : Effect.provideService(
        answer,
        HttpServerRequest.HttpServerRequest,
        request.modify({ headers: Headers.set(request.headers, "content-type", type) })
      )

/**
 * Decodes every API body except forms and files as JSON, whatever its Content-Type says. An optional body would also accept
 * `null`, so that's rejected here.
 */
export const jsonBodies: Effect.Effect<Middleware> = Effect.succeed((next) => (exchange) => {
  const { request } = exchange
  const takesForm = exchange.isApi && request.method === "POST" && FORM_PATHS.has(exchange.path)
  const hasBody = request.headers["content-length"] !== undefined || request.headers["transfer-encoding"] !== undefined
  if (takesForm) {
    if (!hasBody || request.headers["content-length"] === "0") return Effect.succeed(formMissing)
    return isForm(request.headers) ? next(exchange) : Effect.succeed(formExpected)
  }
  const takesBytes = exchange.isApi && request.method === "POST" && exchange.path === BYTES_PATH
  if (takesBytes) return as(BYTES_TYPE, request, next(exchange))
  if (!hasBody || !exchange.isApi) return next(exchange)
  return as(JSON_TYPE, request, mayBeNull(request.headers) ? refuseNull(next(exchange)) : next(exchange))
})

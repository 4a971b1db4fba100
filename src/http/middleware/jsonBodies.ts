import { Effect } from "effect"
import { Headers, HttpServerRequest } from "effect/http"
import { errorResponse } from "../apiResponse.ts"
import type { Exchange } from "./Exchange.ts"
import type { Answer, Check } from "./Middleware.ts"

const JSON_TYPE = "application/json"
/** The routes that take a multipart form; every other body is JSON. */
const FORM_PATHS = new Set(["/api/transcribe", "/api/files/upload"])
/** The route that takes a file's bytes as they are. */
const BYTES_PATH = "/api/uploads"
const BYTES_TYPE = "application/octet-stream"
/** A longer body can't be an accidental `null` with whitespace. */
const MAX_NULL_LENGTH = 16

const takesForm = ({ method, path }: Exchange): boolean => method === "POST" && FORM_PATHS.has(path)

const hasBody = ({ headers }: Exchange): boolean =>
  headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined

const FORM_EXPECTED = "the body must be a multipart form"
const formExpected = errorResponse(415, "unsupported_media_type", FORM_EXPECTED)
const formMissing = errorResponse(400, "validation_error", FORM_EXPECTED)

/** Rejects what isn't a form where one is expected. */
export const formBodies: Effect.Effect<Check> = Effect.succeed((exchange) => {
  if (!takesForm(exchange)) return undefined
  const { headers } = exchange
  if (!hasBody(exchange) || headers["content-length"] === "0") return formMissing
  return /^multipart\/form-data\b/i.test(headers["content-type"] ?? "") ? undefined : formExpected
})

const mayBeNull = ({ headers }: Exchange): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) <= MAX_NULL_LENGTH

const refuseNull = (answer: Answer): Answer =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    Effect.flatMap(request.text, (text) =>
      text.trim() === "null"
        ? Effect.succeed(errorResponse(400, "validation_error", "the body must be a JSON object, not null"))
        : answer
    )
  )

/** Answers as if the body had been sent with that type. */
const as = (type: string, { request, headers }: Exchange, answer: Answer): Answer =>
  headers["content-type"] === type
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
export const readAsJson = (exchange: Exchange, answer: Answer): Answer => {
  const { method, path, isApi } = exchange
  if (!isApi || takesForm(exchange)) return answer
  if (method === "POST" && path === BYTES_PATH) return as(BYTES_TYPE, exchange, answer)
  if (!hasBody(exchange)) return answer
  return as(JSON_TYPE, exchange, mayBeNull(exchange) ? refuseNull(answer) : answer)
}

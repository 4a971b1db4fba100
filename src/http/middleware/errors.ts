import { Cause, Effect } from "effect"
import { HttpServerError, HttpServerResponse, Multipart } from "effect/http"
import { HttpApiError } from "effect/http-api"
import type { Failure } from "../../contract/failure.ts"
import { Settings } from "../../services/platform/settings/Settings.ts"
import { errorResponse } from "../apiResponse.ts"
import { RouteTable } from "../RouteTable.ts"
import { issueFailure } from "./issueFailure.ts"
import type { RequestContext } from "./RequestContext.ts"

const invalid = (why: Failure) => errorResponse(400, "validation_error", why)

/** 413 with the text that clients compare. */
export const bodyTooLarge = () => errorResponse(413, "Request body too large")

const multipartResponse = (error: Multipart.MultipartError) => {
  switch (error.reason._tag) {
    case "FileTooLarge":
    case "FieldTooLarge":
    case "BodyTooLarge":
    case "TooManyParts":
      return bodyTooLarge()
    case "Parse":
      return invalid({ message: "the body isn't a valid multipart form" })
    default:
      return undefined
  }
}

const notFound = (context: RequestContext, routes: RouteTable["Service"]) => {
  const allowed = routes.methodsOf(context.path)
  return allowed.length === 0 || allowed.includes(context.method)
    ? errorResponse(404, "not_found")
    : errorResponse(405, "method_not_allowed", undefined, { allow: allowed.join(", ") })
}

/** The response to an expected failure, or undefined if it's a bug. */
const expectedResponse = (error: unknown, context: RequestContext, routes: RouteTable["Service"]) => {
  // What was interrupted has said itself what to answer.
  if (HttpServerResponse.isHttpServerResponse(error)) return error
  if (HttpApiError.HttpApiSchemaError.is(error)) {
    return error.kind === "Body" || error.kind === "ResponseHeaders" ? undefined : invalid(issueFailure(error.cause))
  }
  if (error instanceof Multipart.MultipartError) return multipartResponse(error)
  if (!HttpServerError.isHttpServerError(error)) return undefined
  switch (error.reason._tag) {
    case "RouteNotFound":
      return notFound(context, routes)
    case "RequestParseError":
      return error.reason.reason === "BodyTooLarge" ? bodyTooLarge() : invalid({ message: "couldn't read the body" })
    default:
      return undefined
  }
}

/** Turns a failure or defect into a response in the common error shape. */
export const errors = Effect.gen(function* () {
  const settings = yield* Settings
  const routes = yield* RouteTable

  return Effect.fnUntraced(function* (cause: Cause.Cause<unknown>, context: RequestContext) {
    const response = expectedResponse(Cause.squash(cause), context, routes)
    if (response !== undefined) return response
    const where = `${context.method} ${context.path} failed`
    yield* settings.development
      ? Effect.logError(where, cause)
      : Effect.logError(`${where}: ${Cause.prettyErrors(cause)[0]?.message ?? "unknown error"}`)
    return HttpServerResponse.text("Internal server error", { status: 500 })
  })
})

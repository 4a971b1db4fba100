import { Cause, Effect, Option, SchemaIssue } from "effect"
import { HttpRouter, HttpServerError, HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

const validationDetails = (error: HttpApiError.HttpApiSchemaError): string => {
  const first = formatIssue(error.cause.issue).issues[0]
  if (first === undefined) return "the request is not valid"
  const path = first.path?.map(String).join(".") ?? ""
  return path.length > 0 ? `${path}: ${first.message}` : first.message
}

const requestErrorResponse = (error: unknown): HttpServerResponse.HttpServerResponse => {
  switch (HttpServerError.isHttpServerError(error) ? error.reason._tag : undefined) {
    case "RouteNotFound":
      return HttpServerResponse.jsonUnsafe({ error: "not_found" }, { status: 404 })
    case "RequestParseError":
      return HttpServerResponse.jsonUnsafe(
        { error: "validation_error", details: "the body could not be read" },
        { status: 400 }
      )
    default:
      return HttpServerResponse.text("Internal server error", { status: 500 })
  }
}

/** Turns every failure and defect into an answer of the one error shape (SPEC "Errors", D10). */
export const errors = HttpRouter.middleware<{ handles: HttpServerError.HttpServerError }>()(
  (handle) =>
    Effect.catchCause(handle, (cause) => {
      const defect = Cause.findDefect(cause)
      if (
        defect._tag === "Success" &&
        HttpApiError.HttpApiSchemaError.is(defect.success) &&
        defect.success.kind !== "Body"
      ) {
        return Effect.succeed(
          HttpServerResponse.jsonUnsafe(
            { error: "validation_error", details: validationDetails(defect.success) },
            { status: 400 }
          )
        )
      }
      const failure = Cause.findErrorOption(cause)
      if (Option.isSome(failure)) return Effect.succeed(requestErrorResponse(failure.value))
      if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
      return Effect.logError("unhandled error in a request", cause).pipe(
        Effect.as(HttpServerResponse.text("Internal server error", { status: 500 }))
      )
    }),
  { global: true }
)

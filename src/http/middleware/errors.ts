import { Cause, Effect, type Schema, SchemaIssue } from "effect"
import { HttpServerError, HttpServerResponse, Multipart } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { type Failure, ofField } from "../../contract/failure.ts"
import { failure } from "../../contract/failures.ts"
import { issueWhy } from "../../services/platform/issueWhy.ts"
import { Settings } from "../../services/platform/settings/Settings.ts"
import { errorResponse } from "../apiResponse.ts"
import { RouteTable } from "../RouteTable.ts"
import type { RequestContext } from "./RequestContext.ts"

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

/** Types as people call them who write a request. */
const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  "a finite number": "a number",
  "an integer": "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
  "a valid JSON body": "JSON"
}

/** What these words have as their code. */
const CODES: Readonly<Record<string, Failure>> = {
  "must be text": failure("MUST_BE_TEXT"),
  "must be a number": failure("MUST_BE_A_NUMBER"),
  "must be a whole number": failure("MUST_BE_A_WHOLE_NUMBER"),
  "must be true or false": failure("MUST_BE_TRUE_OR_FALSE"),
  "must be a list": failure("MUST_BE_A_LIST"),
  "must be an object": failure("MUST_BE_AN_OBJECT"),
  "must be text or null": failure("MUST_BE_TEXT_OR_NULL"),
  "must be a number or null": failure("MUST_BE_A_NUMBER_OR_NULL"),
  "the body must be JSON": failure("BODY_MUST_BE_JSON"),
  "the body must be an object": failure("BODY_MUST_BE_AN_OBJECT")
}

const EXPECTED = "Expected "
const TEXTS = /^"([^"]*)"$/

const coded = (message: string): Failure => CODES[message] ?? { message }

/** What was expected, such as `string | null`, as a sentence without its subject. */
const mustBe = (expected: string): Failure => {
  if (expected === "no excess property") return failure("UNKNOWN_FIELD")
  if (expected.includes("RegExp") || expected.includes("<filter>")) return failure("WRONG_FORM")
  const choices = expected.split(" | ")
  const texts = choices.flatMap((choice) => TEXTS.exec(choice)?.[1] ?? [])
  if (texts.length > 1 && texts.length === choices.length) return failure("MUST_BE_ONE_OF", { words: texts.join(", ") })
  const words = choices.map((choice) => TYPES[choice] ?? choice).join(" or ")
  if (words.startsWith("a value with ")) return { message: `must have ${words.slice("a value with ".length)}` }
  return coded(`must be ${words.startsWith("a value between ") ? words.slice("a value ".length) : words}`)
}

/** One of Effect's messages in plain words; a schema's own message stays as it is. */
const plainWords = (message: string): Failure | undefined => {
  if (message === "Missing key") return failure("REQUIRED")
  if (message === "Forbidden operation" || message.startsWith("Invalid data")) return failure("INVALID")
  return message.startsWith(EXPECTED) ? mustBe(message.slice(EXPECTED.length)) : undefined
}

/** What's wrong with a request, from its first issue: `<field>: <what it must be>`. */
export const issueFailure = ({ issue }: Schema.SchemaError): Failure => {
  const [first] = formatIssue(issue).issues
  if (first === undefined) return failure("INVALID_REQUEST")
  const path = first.path?.map(String).join(".") ?? ""
  const plain = plainWords(first.message)
  const own = { message: first.message, ...issueWhy(issue, first.message) }
  if (path !== "") return ofField(path, plain ?? own)
  return plain === undefined ? own : coded(`the body ${plain.message}`)
}

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

import { Option, Schema } from "effect"
import { HttpServerResponse } from "effect/http"

const Asked = Schema.fromJsonString(Schema.Struct({ id: Schema.Union([Schema.String, Schema.Finite]) }))
const decodeAsked = Schema.decodeUnknownOption(Asked)

/** The code of the range that servers may choose from. */
const REFUSED = -32_000

const HELP: Readonly<Record<number, string>> = {
  400: "The request doesn't fit this version of the protocol. Send one message at a time (lists of messages are only for 2025-03-26), or start a new session with initialize.",
  404: "There's no such session: it has ended, or the console was started again. Start a new session: send initialize without Mcp-Session-Id.",
  503: "The console is stopping or starting again. Wait a moment, then start a new session: send initialize without Mcp-Session-Id."
}

/** A refusal that says what to do, as clients of the protocol show it; `text` is the request's. */
export const refusal = (status: number, text = ""): HttpServerResponse.HttpServerResponse => {
  const id = Option.match(decodeAsked(text), { onNone: () => null, onSome: (asked) => asked.id })
  const message = HELP[status] ?? "The console can't answer this request."
  return HttpServerResponse.jsonUnsafe({ jsonrpc: "2.0", id, error: { code: REFUSED, message } }, { status })
}

const FIRST_REFUSAL = 400

/** Clients show nothing but a failure's body, so none is empty. */
export const explained = (
  response: HttpServerResponse.HttpServerResponse,
  text: string
): HttpServerResponse.HttpServerResponse =>
  response.status >= FIRST_REFUSAL && response.body._tag === "Empty" ? refusal(response.status, text) : response

import { Option, Schema } from "effect"
import { safeRequestId } from "../../../contract/deviceApproval.ts"

const ResponseFrame = Schema.Struct({
  type: Schema.Literal("res"),
  id: Schema.String,
  ok: Schema.Boolean,
  payload: Schema.optional(Schema.Unknown),
  error: Schema.optional(Schema.Unknown)
})

export type ResponseFrame = typeof ResponseFrame.Type

const EventFrame = Schema.Struct({
  type: Schema.Literal("event"),
  event: Schema.String,
  payload: Schema.optional(Schema.Unknown),
  /** Its number on the connection; not every event has one. */
  seq: Schema.optional(Schema.Unknown)
})

export type EventFrame = typeof EventFrame.Type

/** What a gateway sends: a response or an event. */
export type GatewayFrame = ResponseFrame | EventFrame

/** A gateway event frame as received; decode `payload` where it's used. */
export interface GatewayEvent {
  readonly event: string
  readonly payload: unknown
  /** Its number on the connection, one more than that of the numbered event before it. */
  readonly seq?: number | undefined
}

const decodeText = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Union([ResponseFrame, EventFrame])))

/** Reads one text frame; `undefined` for anything else, which a client ignores. */
export const decodeFrame = (text: string): GatewayFrame | undefined => Option.getOrUndefined(decodeText(text))

/** Payload of the `connect.challenge` event. */
export const Challenge = Schema.Struct({ nonce: Schema.NonEmptyString, ts: Schema.Finite })

/** The parts of an accepted `connect` response that the console needs. */
export const HelloOk = Schema.Struct({
  type: Schema.Literal("hello-ok"),
  protocol: Schema.Finite,
  server: Schema.optional(Schema.Struct({ version: Schema.optional(Schema.String) })),
  features: Schema.optional(Schema.Struct({ methods: Schema.optional(Schema.Array(Schema.String)) })),
  snapshot: Schema.optional(
    Schema.Struct({
      uptimeMs: Schema.optional(Schema.Finite),
      sessionDefaults: Schema.optional(Schema.Struct({ mainSessionKey: Schema.optional(Schema.String) }))
    })
  ),
  /** Older gateways omit it if no device token was issued. */
  auth: Schema.optional(Schema.Struct({ scopes: Schema.optional(Schema.Array(Schema.String)) })),
  policy: Schema.optional(
    Schema.Struct({
      tickIntervalMs: Schema.optional(Schema.Finite),
      maxPayload: Schema.optional(Schema.Finite)
    })
  )
})

export type HelloOk = typeof HelloOk.Type

/** The error of an answer with `ok: false`. */
export interface ErrorBody {
  readonly code: string
  readonly message: string
  /** `details.code`, the finer code. */
  readonly detail: string | undefined
  /** The pending device approval's id; safe to use in a shell command. */
  readonly requestId: string | undefined
  readonly retryable: boolean | undefined
  readonly retryAfterMs: number | undefined
}

const decodeRecord = Schema.decodeUnknownOption(Schema.Record(Schema.String, Schema.Unknown))

const field = <A>(name: string, schema: Schema.Decoder<A>) => {
  const decodeField = Schema.decodeUnknownOption(schema)
  return (value: unknown): A | undefined =>
    Option.getOrUndefined(Option.flatMap(decodeRecord(value), (record) => decodeField(record[name])))
}

const codeOf = field("code", Schema.String)
const detailsOf = field("details", Schema.Unknown)
const requestIdOf = field("requestId", Schema.String)
const messageOf = field("message", Schema.String)
const retryableOf = field("retryable", Schema.Boolean)
const retryAfterOf = field("retryAfterMs", Schema.Finite)

/** Reads an error field by field, so that one unexpected field doesn't hide the rest. */
export const decodeErrorBody = (error: unknown): ErrorBody => {
  const details = detailsOf(error)
  return {
    code: codeOf(error) ?? "UNKNOWN",
    message: messageOf(error) ?? "",
    detail: codeOf(details),
    requestId: safeRequestId(requestIdOf(details)),
    retryable: retryableOf(error),
    retryAfterMs: retryAfterOf(error)
  }
}

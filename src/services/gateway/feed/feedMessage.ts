import { Option, Schema } from "effect"

const Text = Schema.optionalKey(Schema.NullOr(Schema.String))

const TextPart = Schema.Struct({ type: Schema.String, text: Schema.optionalKey(Schema.String) })

/** A message as gateways send it, in events and in the history. */
const SaidMessage = Schema.Struct({
  role: Schema.String,
  content: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(TextPart)])),
  timestamp: Schema.optionalKey(Schema.Finite),
  stopReason: Text,
  provider: Text,
  model: Text,
  /** What a response took and cost; its numbers may be anything. */
  usage: Schema.optionalKey(Schema.Unknown),
  /** The sender's own id with `:user` behind it; newer gateways only. */
  idempotencyKey: Text,
  openclawAbort: Schema.optionalKey(Schema.Unknown),
  __openclaw: Schema.optionalKey(
    Schema.Struct({ id: Text, runId: Text, truncated: Schema.optionalKey(Schema.NullOr(Schema.Boolean)) })
  )
})
export type SaidMessage = typeof SaidMessage.Type

/** A message of a session, with the id by which it is known everywhere. */
export interface FeedMessage {
  readonly sessionKey: string
  readonly id: string
  /** Epoch milliseconds, by the gateway's clock. */
  readonly at: number
  /** The run it belongs to, where the gateway says. */
  readonly runId: string | undefined
  readonly message: SaidMessage
  /** The gateway left some of the text out. */
  readonly isCut: boolean
}

const decodeMessage = Schema.decodeUnknownOption(SaidMessage)
const decodeEnvelope = Schema.decodeUnknownOption(
  Schema.Struct({ sessionKey: Schema.NonEmptyString, message: Schema.Unknown, messageId: Text, runId: Text })
)

const identified = (
  sessionKey: string,
  payload: unknown,
  about: { readonly messageId?: string | null; readonly runId?: string | null }
): FeedMessage | undefined => {
  const message = Option.getOrUndefined(decodeMessage(payload))
  const own = message?.__openclaw
  const id = about.messageId ?? own?.id
  // Older gateways announce what a person typed a first time before it has an id.
  if (message === undefined || typeof id !== "string") return undefined
  return {
    sessionKey,
    id,
    at: message.timestamp ?? 0,
    runId: own?.runId ?? about.runId ?? undefined,
    message,
    isCut: own?.truncated === true
  }
}

/** A message as a `session.message` event has it; `undefined` for one that can't be identified. */
export const readMessage = (payload: unknown): FeedMessage | undefined => {
  const envelope = Option.getOrUndefined(decodeEnvelope(payload))
  return envelope && identified(envelope.sessionKey, envelope.message, envelope)
}

/** A message as the history of a session lists it. */
export const readHistoryMessage = (sessionKey: string, row: unknown): FeedMessage | undefined =>
  identified(sessionKey, row, {})

/** The visible text of a message. */
export const saidText = ({ content }: Pick<SaidMessage, "content">): string => {
  if (content === undefined) return ""
  if (typeof content === "string") return content
  return content.flatMap((part) => (part.type === "text" && part.text !== undefined ? [part.text] : [])).join("")
}

/** Whether an agent said it to its end. */
export const isWhole = ({ message }: FeedMessage): boolean =>
  message.role === "assistant" &&
  message.openclawAbort === undefined &&
  message.stopReason !== "aborted" &&
  message.stopReason !== "error"

/** A chat message; gateways give the content as text or as parts. */
export const ResponseMessage = Schema.Struct({
  role: Schema.String,
  content: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(TextPart)])),
  timestamp: Schema.optionalKey(Schema.Finite),
  stopReason: Schema.optionalKey(Schema.NullOr(Schema.String)),
  errorMessage: Schema.optionalKey(Schema.NullOr(Schema.String)),
  provider: Schema.optionalKey(Schema.Unknown),
  model: Schema.optionalKey(Schema.Unknown),
  openclawAbort: Schema.optionalKey(Schema.Struct({ aborted: Schema.Boolean }))
})
export type ResponseMessage = typeof ResponseMessage.Type

/** A `chat` event that ends a run. */
export const ResponseEnd = Schema.Struct({
  runId: Schema.String,
  sessionKey: Schema.optionalKey(Schema.String),
  state: Schema.Literals(["final", "error", "aborted"]),
  message: Schema.optionalKey(ResponseMessage),
  errorMessage: Schema.optionalKey(Schema.String),
  /** Newer gateways only. */
  errorDetail: Schema.optionalKey(Schema.Unknown)
})
export type ResponseEnd = typeof ResponseEnd.Type

import { Schema } from "effect"

const TextPart = Schema.Struct({ type: Schema.String, text: Schema.optionalKey(Schema.String) })

/** A chat message; gateways give the content as text or as parts. */
export const RunMessage = Schema.Struct({
  role: Schema.String,
  content: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(TextPart)])),
  stopReason: Schema.optionalKey(Schema.NullOr(Schema.String)),
  errorMessage: Schema.optionalKey(Schema.NullOr(Schema.String)),
  openclawAbort: Schema.optionalKey(Schema.Struct({ aborted: Schema.Boolean }))
})
export type RunMessage = typeof RunMessage.Type

/** A `chat` event that ends a run. */
export const RunEnd = Schema.Struct({
  runId: Schema.String,
  state: Schema.Literals(["final", "error", "aborted"]),
  message: Schema.optionalKey(RunMessage),
  errorMessage: Schema.optionalKey(Schema.String)
})
export type RunEnd = typeof RunEnd.Type

/** Answer to `chat.history`; messages the console does not know are left out by the reader. */
export const RunHistory = Schema.Struct({
  sessionId: Schema.optionalKey(Schema.NullOr(Schema.String)),
  messages: Schema.Array(Schema.Unknown)
})

/** Answer to `agent.wait`. */
export const RunWait = Schema.Struct({
  status: Schema.String,
  error: Schema.optionalKey(Schema.Unknown)
})

/** A row of `sessions.list`, as far as a run needs it. */
export const RunSession = Schema.Struct({
  key: Schema.String,
  status: Schema.optionalKey(Schema.NullOr(Schema.String)),
  hasActiveRun: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  lastRunError: Schema.optionalKey(Schema.NullOr(Schema.String))
})
export type RunSession = typeof RunSession.Type

export const RunSessions = Schema.Struct({ sessions: Schema.Array(RunSession) })
export const RunAbort = Schema.Struct({ aborted: Schema.optionalKey(Schema.Boolean) })
export const AgentList = Schema.Struct({ agents: Schema.Array(Schema.Struct({ id: Schema.String })) })
/** Answer to `models.list`; a full model id is provider and id with a slash between. */
export const ModelList = Schema.Struct({
  models: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      provider: Schema.String,
      available: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
    })
  )
})
export const Acknowledged = Schema.Struct({})

import { Schema } from "effect"

/** Answer to `chat.history`; the reader skips unknown messages. */
export const RunHistory = Schema.Struct({
  sessionId: Schema.optionalKey(Schema.NullOr(Schema.String)),
  messages: Schema.Array(Schema.Unknown)
})

/** Answer to `agent.wait`. */
export const RunWait = Schema.Struct({
  status: Schema.String,
  error: Schema.optionalKey(Schema.Unknown)
})

/** The parts of a `sessions.list` row that a run needs. */
export const RunSession = Schema.Struct({
  key: Schema.String,
  status: Schema.optionalKey(Schema.NullOr(Schema.String)),
  hasActiveRun: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  lastRunError: Schema.optionalKey(Schema.NullOr(Schema.String))
})
export type RunSession = typeof RunSession.Type

export const RunAbort = Schema.Struct({ aborted: Schema.optionalKey(Schema.Boolean) })
export const AgentList = Schema.Struct({ agents: Schema.Array(Schema.Struct({ id: Schema.String })) })
export const Acknowledged = Schema.Struct({})

/** Answer to `sessions.patch`: the model in force. */
export const Patched = Schema.Struct({
  resolved: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        modelProvider: Schema.optionalKey(Schema.NullOr(Schema.String)),
        model: Schema.optionalKey(Schema.NullOr(Schema.String))
      })
    )
  )
})

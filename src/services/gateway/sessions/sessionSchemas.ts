import { Schema } from "effect"

/** The default session. */
export const MAIN_SESSION = "agent:main:main"

const text = Schema.optionalKey(Schema.NullOr(Schema.String))

const inForce = { modelProvider: text, model: text, thinkingLevel: text, thinkingDefault: text }

/** Model and thinking level in a `sessions.list` row or its defaults. */
export const SessionFacts = Schema.Struct(inForce)
export type SessionFacts = typeof SessionFacts.Type

/** Answer to `sessions.list`. */
export const SessionList = Schema.Struct({
  defaults: Schema.optionalKey(SessionFacts),
  sessions: Schema.Array(Schema.Struct({ key: Schema.String, ...inForce }))
})
export type SessionList = typeof SessionList.Type

/**
 * What `chat.history` contains besides messages: the current level (older gateways) or the session's row (newer ones).
 */
export const HistoryFacts = Schema.Struct({ thinkingLevel: text, sessionInfo: Schema.optionalKey(SessionFacts) })
export type HistoryFacts = typeof HistoryFacts.Type

/** Answer to `sessions.patch`; older gateways only have the level in the entry. */
export const PatchedSession = Schema.Struct({
  entry: Schema.optionalKey(Schema.Struct({ thinkingLevel: text })),
  resolved: SessionFacts
})

/** Output of the `session_status` tool: text for people. */
export const SessionStatus = Schema.Struct({ statusText: Schema.String })

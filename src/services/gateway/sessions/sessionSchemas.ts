import { Schema } from "effect"
import { filledText } from "../../../contract/schema/fields.ts"

/** The default session. */
export const MAIN_SESSION = "agent:main:main"

/** A session's key: data, never a path. */
export const SessionKey = filledText(500)

const setting = (max: number) => Schema.optionalKey(Schema.NullOr(filledText(max)))

/** Changes to a session; `null` restores the default. */
export const SessionChange = Schema.Struct({
  sessionKey: SessionKey,
  model: setting(200),
  thinkingLevel: setting(50)
}).check(
  Schema.makeFilter(({ model, thinkingLevel }) =>
    model === undefined && thinkingLevel === undefined
      ? { path: ["model"], issue: "model or thinkingLevel is required" }
      : undefined
  )
)
export type SessionChange = typeof SessionChange.Type

/** The current model (`provider/model`) and thinking level. */
export const SessionInfo = Schema.Struct({ model: Schema.String, thinking: Schema.String })
export type SessionInfo = typeof SessionInfo.Type

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

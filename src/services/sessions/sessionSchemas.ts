import { Schema } from "effect"
import { filledText } from "../board/fields.ts"

/** The session that is meant when none is named (SPEC "Gateway operations"). */
export const MAIN_SESSION = "agent:main:main"

/** A session's key: data, never a path. */
export const SessionKey = filledText(500)

const setting = (max: number) => Schema.optionalKey(Schema.NullOr(filledText(max)))

/** What is to change of a session; `null` goes back to the default. */
export const SessionChange = Schema.Struct({
  sessionKey: SessionKey,
  model: setting(200),
  thinkingLevel: setting(50)
}).check(
  Schema.makeFilter(({ model, thinkingLevel }) =>
    model === undefined && thinkingLevel === undefined
      ? { path: ["model"], issue: "give a model, a thinkingLevel or both" }
      : undefined
  )
)
export type SessionChange = typeof SessionChange.Type

/** The model (`provider/model`) and the thinking level in force. */
export const SessionInfo = Schema.Struct({ model: Schema.String, thinking: Schema.String })
export type SessionInfo = typeof SessionInfo.Type

const text = Schema.optionalKey(Schema.NullOr(Schema.String))

const inForce = { modelProvider: text, model: text, thinkingLevel: text, thinkingDefault: text }

/** What a row of `sessions.list`, or the defaults beside the rows, tell of model and thinking level. */
export const SessionFacts = Schema.Struct(inForce)
export type SessionFacts = typeof SessionFacts.Type

/** Answer to `sessions.list`. */
export const SessionList = Schema.Struct({
  defaults: Schema.optionalKey(SessionFacts),
  sessions: Schema.Array(Schema.Struct({ key: Schema.String, ...inForce }))
})
export type SessionList = typeof SessionList.Type

/** What `chat.history` tells beside the messages: older gateways the level in force, newer ones the session's row. */
export const HistoryFacts = Schema.Struct({ thinkingLevel: text, sessionInfo: Schema.optionalKey(SessionFacts) })
export type HistoryFacts = typeof HistoryFacts.Type

/** Answer to `sessions.patch`; older gateways keep the level in the entry only. */
export const PatchedSession = Schema.Struct({
  entry: Schema.optionalKey(Schema.Struct({ thinkingLevel: text })),
  resolved: SessionFacts
})

/** What the `session_status` tool tells: prose for people. */
export const SessionStatus = Schema.Struct({ statusText: Schema.String })

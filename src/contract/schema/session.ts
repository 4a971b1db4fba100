import { Schema } from "effect"
import { failure } from "../failures.ts"
import { MAX_MESSAGE } from "../outbox.ts"
import { body, clearable, epochMillis, filledText, flag, maybe, required, text, wholeNumber } from "./fields.ts"

/** A session's key: data, never a path. */
export const SessionKey = filledText(500)

/** A model of the gateway; `id` is `provider/model`. */
export const Model = Schema.Struct({ id: Schema.String, label: Schema.String, provider: Schema.String }).annotate({
  identifier: "Model"
})
export type Model = typeof Model.Type

export const ModelList = Schema.Struct({ models: Schema.Array(Model) })
export type ModelList = typeof ModelList.Type

/** Names a session, of any gateway. */
export const SessionOnly = Schema.Struct({ sessionKey: required(SessionKey) })

export const CompactedSession = Schema.Struct({ ok: Schema.Literal(true), compacted: Schema.Boolean })

/** Body of `POST /api/sessions/stop`; `tab` is the id by which the tab says hello on its live connection. */
export const SessionStop = Schema.Struct({
  sessionKey: required(SessionKey),
  runId: Schema.optionalKey(Schema.NonEmptyString),
  tab: Schema.optionalKey(Schema.String)
})

export const StoppedSession = Schema.Struct({ ok: Schema.Literal(true), runIds: Schema.Array(Schema.String) })

/** Data of `session.ended`. */
export const SessionEnd = Schema.Struct({
  /** Among those of all gateways. */
  sessionKey: Schema.String,
  outcome: Schema.Literals(["done", "error", "aborted"]),
  /** Empty without one. */
  title: Schema.String,
  /** The beginning of the answer, never a gateway's error text. */
  preview: Schema.String
})
export type SessionEnd = typeof SessionEnd.Type

/** The current model (`provider/model`) and thinking level. */
export const SessionInfo = Schema.Struct({ model: Schema.String, thinking: Schema.String })
export type SessionInfo = typeof SessionInfo.Type

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

/** Characters of a group's name. */
export const MAX_GROUP = 60

/** What a person made of a session, for all their devices. */
export const SessionMark = Schema.Struct({
  /** The session's key among those of all gateways (`qualifiedKey`). */
  sessionKey: Schema.String,
  pinned: Schema.Boolean,
  /** The gateway's time at which it was archived; a run that began later brings it back. */
  archivedAt: Schema.NullOr(Schema.Finite),
  /** The name of the group it's in. */
  group: Schema.NullOr(Schema.String),
  /** The gateway's time up to which its responses were read; 0 if none was. */
  seenAt: Schema.Finite
}).annotate({ identifier: "SessionMark" })
export type SessionMark = typeof SessionMark.Type

/** A session's marks as they hold now; the gateway keeps them where it says so, and reports them in its own row. */
export const HeldMark = Schema.Struct({
  ...SessionMark.fields,
  keptBy: Schema.optionalKey(Schema.Literal("gateway"))
}).annotate({ identifier: "HeldSessionMark" })
export type HeldMark = typeof HeldMark.Type

/** What the console keeps of all sessions, and from when on the responses of each gateway's count as news. */
export const SessionMarksState = Schema.Struct({
  marks: Schema.Array(SessionMark),
  seenSince: Schema.Array(Schema.Struct({ gatewayId: Schema.String, at: Schema.Finite }))
}).annotate({ identifier: "SessionMarks" })
export type SessionMarksState = typeof SessionMarksState.Type

/** Body of `PATCH /api/sessions/marks`. */
export const MarkChange = Schema.Struct({
  sessionKey: required(SessionKey),
  pinned: maybe(flag),
  archivedAt: clearable(epochMillis, { message: "must be a time in epoch milliseconds, or null" }),
  group: clearable(filledText(MAX_GROUP), { message: `must be 1 to ${MAX_GROUP} characters, or null` }),
  seenAt: maybe(epochMillis)
})
  .annotate(failure("MUST_BE_A_JSON_OBJECT"))
  .check(
    Schema.makeFilter(({ archivedAt, group, pinned, seenAt }) =>
      [archivedAt, group, pinned, seenAt].every((value) => value === undefined)
        ? { path: ["pinned"], issue: "pinned, archivedAt, group or seenAt is required" }
        : undefined
    )
  )
export type MarkChange = typeof MarkChange.Type

/** What somebody has begun to write in a session. */
const Draft = Schema.Struct({
  sessionKey: Schema.String,
  text: Schema.String,
  /** By the console's clock; each write of a session has a later time than the one before. */
  updatedAt: Schema.Int,
  /** Where it was written, as the page that wrote it calls itself. */
  deviceId: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "Draft" })

/** A session's draft; `updatedAt` also says when one was removed, and is absent if there never was one. */
export const DraftState = Schema.Struct({
  draft: Schema.NullOr(Draft),
  updatedAt: Schema.optionalKey(Schema.Int)
}).annotate({ identifier: "DraftState" })
export type DraftState = typeof DraftState.Type

/** The session of a requested draft. */
export const DraftQuery = Schema.Struct({ sessionKey: required(SessionKey) })

const MAX_DEVICE = 100

/** Body of `PUT /api/drafts`. */
export const NewDraft = body({
  sessionKey: required(SessionKey),
  text: required(text(MAX_MESSAGE)),
  deviceId: maybe(filledText(MAX_DEVICE)),
  /** The number of a device's write, so that a late one doesn't replace a newer one. */
  count: maybe(wholeNumber(0))
})
export type NewDraft = typeof NewDraft.Type

export const SavedDraft = Schema.Struct({ updatedAt: Schema.Int })
export type SavedDraft = typeof SavedDraft.Type

/** Data of `draft.changed`. */
export const DraftChange = Schema.Struct({ sessionKey: Schema.String, updatedAt: Schema.Int })

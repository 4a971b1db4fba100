import { Schema } from "effect"
import { failure } from "../../../contract/failures.ts"
import { clearable, epochMillis, filledText, flag, maybe, required } from "../../../contract/schema/fields.ts"
import { SessionKey } from "./sessionSchemas.ts"

/** Characters of a group's name. */
export const MAX_GROUP = 60

/** What the console keeps of a session. */
export const SessionMark = Schema.Struct({
  sessionKey: Schema.String,
  pinned: Schema.Boolean,
  archivedAt: Schema.NullOr(Schema.Finite),
  group: Schema.NullOr(Schema.String),
  seenAt: Schema.Finite
}).annotate({ identifier: "SessionMark" })
export type SessionMark = typeof SessionMark.Type

/** A session's marks as they hold now, wherever they're kept. */
export const HeldMark = Schema.Struct({
  ...SessionMark.fields,
  keptBy: Schema.optionalKey(Schema.Literal("gateway"))
}).annotate({ identifier: "HeldSessionMark" })
export type HeldMark = typeof HeldMark.Type

/** Answer of `GET /api/sessions/marks`. */
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

/** A session nobody has marked. */
export const unmarked = (sessionKey: string): SessionMark => ({
  sessionKey,
  pinned: false,
  archivedAt: null,
  group: null,
  seenAt: 0
})

/** The mark after a change: who archives a session unpins it, who pins it brings it back, and what was read stays read. */
export const changedMark = (mark: SessionMark, change: MarkChange): SessionMark => {
  const archivedAt =
    change.archivedAt ?? (change.archivedAt === null || change.pinned === true ? null : mark.archivedAt)
  return {
    sessionKey: mark.sessionKey,
    pinned: archivedAt === null && (change.pinned ?? mark.pinned),
    archivedAt,
    group: change.group === undefined ? mark.group : (change.group?.trim() ?? null),
    seenAt: Math.max(mark.seenAt, change.seenAt ?? 0)
  }
}

/** The mark without what the gateway keeps from now on. */
export const handedOver = (mark: SessionMark, change: MarkChange): SessionMark => ({
  sessionKey: mark.sessionKey,
  pinned: change.pinned === undefined && change.archivedAt == null && mark.pinned,
  archivedAt: change.archivedAt === undefined && change.pinned !== true ? mark.archivedAt : null,
  group: change.group === undefined ? mark.group : null,
  seenAt: mark.seenAt
})

/** Whether nothing is left of a mark. */
export const isUnmarked = ({ archivedAt, group, pinned, seenAt }: SessionMark): boolean =>
  !pinned && archivedAt === null && group === null && seenAt === 0

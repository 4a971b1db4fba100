import { Effect, Schema } from "effect"
import type { MarkChange } from "../../../contract/schema/session.ts"
import type { GatewayClientShape } from "../client/GatewayClient.ts"
import { type GatewayError, refusedAs } from "../client/GatewayError.ts"
import { canonicalKey, InvalidSessionChange } from "./sessionRules.ts"

/** Gateways keep marks in their rows since this generation of the wire protocol. */
const MARKS_SINCE_PROTOCOL = 4
/** Rows of a search by key; it also returns keys that only contain it. */
const SEARCH_LIMIT = 100

const Rows = Schema.Struct({
  sessions: Schema.Array(Schema.Struct({ key: Schema.String, sessionId: Schema.optionalKey(Schema.String) }))
})

/** Whether the connected gateway keeps marks itself; undefined while there's no connection. */
export const keepsMarks = (gateway: GatewayClientShape): Effect.Effect<boolean | undefined> =>
  Effect.map(gateway.connection, (found) => found && found.protocol >= MARKS_SINCE_PROTOCOL)

const MarkRow = Schema.Struct({
  key: Schema.String,
  pinned: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  archived: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  archivedAt: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
  category: Schema.optionalKey(Schema.NullOr(Schema.String))
})
const MarkRows = Schema.Struct({ sessions: Schema.Array(MarkRow) })

/** The marks in the gateway's own row; `undefined` without one. */
export const marksInRow = Effect.fnUntraced(function* (gateway: GatewayClientShape, key: string) {
  for (const archived of [false, true]) {
    const search = { search: canonicalKey(key), limit: SEARCH_LIMIT, archived }
    const { sessions } = yield* gateway.request("sessions.list", search, MarkRows)
    const row = sessions.find((one) => one.key === canonicalKey(key))
    if (row === undefined) continue
    const isAway = row.archived === true
    return { pinned: row.pinned === true, isAway, archivedAt: row.archivedAt ?? undefined, group: row.category ?? null }
  }
  return undefined
})

/** The id that a session has in the list of those put away, or of the others. */
const idOf = Effect.fnUntraced(function* (gateway: GatewayClientShape, key: string, archived: boolean) {
  const search = { search: canonicalKey(key), limit: SEARCH_LIMIT, archived }
  const { sessions } = yield* gateway.request("sessions.list", search, Rows)
  return sessions.find((row) => row.key === canonicalKey(key))?.sessionId
})

/** Archiving names the session's id: it must not apply to a session that was restarted meanwhile. */
const archiving = Effect.fnUntraced(function* (gateway: GatewayClientShape, key: string, archived: boolean) {
  const expectedSessionId = yield* idOf(gateway, key, !archived)
  return expectedSessionId === undefined ? {} : { archived, expectedSessionId }
})

/** Changes the marks in the gateway's own row. What is there already stays as it is. */
export const patchMarks = Effect.fnUntraced(function* (
  gateway: GatewayClientShape,
  key: string,
  { archivedAt, group, pinned, seenAt }: MarkChange
): Effect.fn.Return<void, GatewayError | InvalidSessionChange> {
  const archived = archivedAt === undefined ? (pinned === true ? false : undefined) : archivedAt !== null
  const fields = {
    ...(archived === undefined ? {} : yield* archiving(gateway, key, archived)),
    ...(pinned === undefined || archived === true ? {} : { pinned }),
    ...(group === undefined ? {} : { category: group }),
    ...(seenAt === undefined ? {} : { unread: false })
  }
  if (Object.keys(fields).length === 0) return
  yield* gateway
    .request("sessions.patch", { key, ...fields }, Schema.Unknown)
    .pipe(refusedAs((refused) => new InvalidSessionChange(refused)))
})

/** Brings back a session that was put away, in which newer gateways begin nothing; false if it wasn't. */
export const restoreArchived = Effect.fnUntraced(function* (gateway: GatewayClientShape, key: string) {
  if ((yield* keepsMarks(gateway)) !== true) return false
  const expectedSessionId = yield* idOf(gateway, key, true)
  if (expectedSessionId === undefined) return false
  yield* gateway.request("sessions.patch", { key, archived: false, expectedSessionId }, Schema.Unknown)
  return true
})

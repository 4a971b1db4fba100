import { Clock, Effect, Schema } from "effect"
import { type RunMessage, runEvidence } from "../../../contract/runEvidence.ts"
import type { GatewayClientShape } from "../client/GatewayClient.ts"
import type { GatewayError } from "../client/GatewayError.ts"
import { beganBeforeStart } from "../client/gatewayStart.ts"
import type { SessionListing } from "../sessions/ListedSessions.ts"
import type { ListedSession } from "../sessions/listedSession.ts"
import { rowsOf } from "../sessions/sessionSchemas.ts"
import type { ListedRun } from "./RunningSessions.ts"

/** The end of a history that shows whether a run is over. */
const LAST_MESSAGES = 6
/** How many histories are read at once. */
const AT_ONCE = 4

const SessionRow = Schema.Struct({
  key: Schema.String,
  status: Schema.optionalKey(Schema.NullOr(Schema.String)),
  hasActiveRun: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  startedAt: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
  endedAt: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
  updatedAt: Schema.optionalKey(Schema.NullOr(Schema.Finite))
})
type Row = Pick<ListedSession, keyof typeof SessionRow.Type>

const History = Schema.Struct({ messages: Schema.optionalKey(Schema.Array(Schema.Unknown)) })

const records = (rows: ReadonlyArray<unknown>): ReadonlyArray<RunMessage> =>
  rows.flatMap((row) => (typeof row === "object" && row !== null ? [{ ...row }] : []))

/** What a gateway's list says of a session's last turn. */
export interface JudgedRun extends ListedRun {
  /** The gateway's own shutdown ended it: it began before the gateway started, and no end was written. */
  readonly isCutOff: boolean
}

/** Asks a gateway which of these sessions have a response running. */
export const makeListedRuns = (gateway: GatewayClientShape) => {
  /** Whether a session that an older gateway lists as running really is: its list includes stopped and lost runs. */
  const isAlive = Effect.fnUntraced(function* ({ key, startedAt, updatedAt }: Row) {
    const began = startedAt ?? updatedAt
    // Without a time, the list can't be checked.
    if (began === undefined || began === null) return true
    if (beganBeforeStart(began, (yield* gateway.gatewayStartedAt) ?? 0)) return false
    const { messages = [] } = yield* gateway.request("chat.history", { sessionKey: key, limit: LAST_MESSAGES }, History)
    return runEvidence(records(messages), began, yield* Clock.currentTimeMillis) === "alive"
  })

  const judged = (rows: ReadonlyArray<Row>): Effect.Effect<ReadonlyArray<JudgedRun>, GatewayError> =>
    Effect.forEach(
      rows,
      Effect.fnUntraced(function* (row) {
        const { endedAt, hasActiveRun, key, startedAt, status } = row
        const isRunning =
          typeof hasActiveRun === "boolean" ? hasActiveRun : status === "running" && (yield* isAlive(row))
        const isOld =
          typeof startedAt === "number" && beganBeforeStart(startedAt, (yield* gateway.gatewayStartedAt) ?? 0)
        return { key, isRunning, isCutOff: isOld && (endedAt ?? 0) < startedAt }
      }),
      { concurrency: AT_ONCE }
    )

  /** With a listing, only what isn't in it is asked for. */
  return Effect.fnUntraced(function* (
    wanted: ReadonlySet<string>,
    listing?: SessionListing
  ): Effect.fn.Return<ReadonlyArray<JudgedRun>, GatewayError> {
    const known = listing?.rows.filter(({ key }) => wanted.has(key)) ?? []
    const others = new Set(wanted)
    for (const { key } of known) others.delete(key)
    const isAll = listing?.hasMore === false || others.size === 0
    return yield* judged(isAll ? known : [...known, ...(yield* rowsOf(gateway, SessionRow, others))])
  })
}

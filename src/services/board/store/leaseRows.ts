import { Effect, Schema } from "effect"
import type { RunOrder } from "../boardEvents.ts"
import { type BoardDb, type ConsoleName, leaseMs } from "./BoardStore.ts"
import { selectRuns } from "./runStore.ts"

/** So many milliseconds, the statement's parameter. */
const MILLIS = "CAST(? AS double precision) * interval '1 millisecond'"

/** A console with another gateway leaves a run to those that can carry it on for so much longer. */
const othersFirstMs = (self: ConsoleName): number => leaseMs(self) / 2

const decodeKept = Schema.decodeUnknownSync(
  Schema.Array(Schema.Struct({ session_key: Schema.String, fence: Schema.Int }))
)
const decodeDue = Schema.decodeUnknownSync(
  Schema.Array(Schema.Struct({ session_key: Schema.String, gateway: Schema.String }))
)
const decodeFence = Schema.decodeUnknownSync(Schema.Struct({ fence: Schema.Int }))

/** Assigns a run to this console; an earlier holder can't write it any more. */
export const claimLease = (db: BoardDb, sessionKey: string, self: ConsoleName) =>
  Effect.map(
    db.get(
      `UPDATE task_runs SET owner = ?, fence = fence + 1, lease_until = clock_timestamp() + ${MILLIS}
       WHERE session_key = ? RETURNING fence`,
      self.owner,
      leaseMs(self),
      sessionKey
    ),
    (row) => decodeFence(row).fence
  )

/** Notes that this console's gateway is the one that works on a run: it's the one that can stop it. */
export const noteGateway = (db: BoardDb, sessionKey: string, { gateway }: ConsoleName) =>
  db.run("UPDATE task_runs SET gateway = ? WHERE session_key = ?", gateway, sessionKey)

/** Whether a run is still active and this console's; one without a lease always is. */
export const holdsLease = (db: BoardDb, { fence, sessionKey }: RunOrder) =>
  fence === undefined
    ? Effect.succeed(true)
    : Effect.map(
        db.get("SELECT 1 FROM task_runs WHERE session_key = ? AND fence = ? AND state = 'active'", sessionKey, fence),
        (row) => row !== undefined
      )

/** Stops not yet sent to this console's gateway; sending one twice does no harm. */
export const owedStops = (db: BoardDb, { gateway }: ConsoleName) =>
  selectRuns(db, "r.state = 'stopping' AND r.gateway = ?", gateway)

/** Lengthens this process's leases; gives those of `held` that aren't its own any more. */
export const keepLeases = (db: BoardDb, self: ConsoleName, held: ReadonlyArray<RunOrder>) =>
  Effect.map(
    db.all(
      `UPDATE task_runs SET lease_until = clock_timestamp() + ${MILLIS}
       WHERE owner = ? AND state = 'active' RETURNING session_key, fence`,
      leaseMs(self),
      self.owner
    ),
    (rows) => {
      const kept = decodeKept(rows)
      return held.filter(
        (order) => !kept.some(({ session_key, fence }) => session_key === order.sessionKey && fence === order.fence)
      )
    }
  )

/** Runs of consoles whose lease has expired; with `isStart`, also those of this console before it was restarted. */
export const dueRuns = (db: BoardDb, self: ConsoleName, isStart: boolean) =>
  Effect.map(
    db.all(
      `SELECT session_key, gateway FROM task_runs WHERE state = 'active' AND (
         lease_until < clock_timestamp() - CASE WHEN gateway = ? THEN interval '0' ELSE ${MILLIS} END
         OR (? = 1 AND owner <> ? AND split_part(owner, ':', 1) = ?)
       ) ORDER BY started_at`,
      self.gateway,
      othersFirstMs(self),
      isStart ? 1 : 0,
      self.owner,
      self.device
    ),
    decodeDue
  )

/** Lets others carry on this process's runs at once. */
export const giveBackLeases = (db: BoardDb, { device, owner }: ConsoleName) =>
  db.run(
    "UPDATE task_runs SET owner = ?, lease_until = '-infinity' WHERE owner = ? AND state = 'active'",
    `${device}:`,
    owner
  )

import { Context, type Effect, type Result, Schedule, Schema } from "effect"
import { failureFields } from "../../../contract/schema/failure.ts"

/** A value of a column or parameter; times and sizes stay within the safe integers. */
export type SqlValue = string | number | Uint8Array | null

/** The open database inside one `transaction` or `read`; prepared statements are cached. */
export interface SqlConnection {
  readonly all: (sql: string, ...params: ReadonlyArray<SqlValue>) => ReadonlyArray<unknown>
  /** The same with each row as a list of values in column order: half the cost of an object. */
  readonly rows: (sql: string, ...params: ReadonlyArray<SqlValue>) => ReadonlyArray<unknown>
  readonly get: (sql: string, ...params: ReadonlyArray<SqlValue>) => unknown
  /** Returns the last inserted row's number. */
  readonly run: (sql: string, ...params: ReadonlyArray<SqlValue>) => number
}

/** Why the store couldn't be read or written. */
export const StoreFailureReason = Schema.Literals([
  "disk_full",
  "damaged",
  "busy",
  "read_only",
  "newer",
  "unavailable",
  "other"
])

/**
 * The store failed and nothing was changed, except if the disk failed to sync a change (`unsyncedFile`). `message` is for
 * people and contains no path; `cause` is for the log.
 */
export class StoreError extends Schema.TaggedError<StoreError>()("StoreError", {
  reason: StoreFailureReason,
  ...failureFields,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

/** Retries without limit while the store can't be reached. */
export const retryWhileUnavailable = {
  schedule: Schedule.spaced("5 seconds"),
  while: ({ reason }: StoreError) => reason === "unavailable"
} as const

/** Whether a damaged file was set aside at the start, and its file name. */
export interface SqliteState {
  readonly setAside: string | undefined
}

export interface SqliteShape {
  /**
   * Runs the body in one durable transaction: on success it's on disk when this returns; a failure or a thrown error
   * changes nothing. The body must not wait. While another program writes, transactions wait in their order, at most 5 s
   * each, without blocking anything else. Readers may see a change shortly before it's on disk; interrupting the caller
   * then doesn't undo it.
   */
  readonly transaction: <A, E>(body: (db: SqlConnection) => Result.Result<A, E>) => Effect.Effect<A, E | StoreError>
  /** Runs a read-only body. */
  readonly read: <A>(body: (db: SqlConnection) => A) => Effect.Effect<A, StoreError>
  /** Fails when another program has replaced the open file; transactions then fail, too. */
  readonly replaced: Effect.Effect<never, StoreError>
  readonly state: SqliteState
}

/** The console's one database, `{svc_home}/console.db`. */
export class Sqlite extends Context.Service<Sqlite, SqliteShape>()("agent-console/services/platform/sqlite/Sqlite") {}

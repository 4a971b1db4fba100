import { Context, type Effect, type Result, Schema } from "effect"

/** A value of one column or parameter; times and sizes stay within the safe integers. */
export type SqlValue = string | number | null

/** The open database inside one `transaction` or `read`; statements are prepared once and kept. */
export interface SqlConnection {
  readonly all: (sql: string, ...params: ReadonlyArray<SqlValue>) => ReadonlyArray<unknown>
  /** The same with each row as the list of its values, in the order of the columns: half the cost of an object. */
  readonly rows: (sql: string, ...params: ReadonlyArray<SqlValue>) => ReadonlyArray<unknown>
  readonly get: (sql: string, ...params: ReadonlyArray<SqlValue>) => unknown
  /** Returns the number of the row inserted last. */
  readonly run: (sql: string, ...params: ReadonlyArray<SqlValue>) => number
}

/** Why the store could not be read or written. */
export const StoreFailureReason = Schema.Literals(["disk_full", "damaged", "busy", "read_only", "newer", "other"])

/**
 * The store failed and nothing was changed. `message` is a sentence for people without any path;
 * `cause` is for the log.
 */
export class StoreError extends Schema.TaggedError<StoreError>()("StoreError", {
  reason: StoreFailureReason,
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

/** Whether a damaged file had to be set aside at the start, and under which file name it lies (D40). */
export interface SqliteState {
  readonly setAside: string | undefined
}

export interface SqliteShape {
  /**
   * Runs the body in one durable transaction: a success is on disk when this returns, a failure or a thrown error
   * leaves everything as it was. The body must not wait.
   */
  readonly transaction: <A, E>(body: (db: SqlConnection) => Result.Result<A, E>) => Effect.Effect<A, E | StoreError>
  /** Runs a body that only reads. */
  readonly read: <A>(body: (db: SqlConnection) => A) => Effect.Effect<A, StoreError>
  readonly state: SqliteState
}

/** The console's one database, `{svc_home}/console.db` (D40). */
export class Sqlite extends Context.Service<Sqlite, SqliteShape>()("agent-console/services/sqlite/Sqlite") {}

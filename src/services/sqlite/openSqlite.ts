import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync } from "node:fs"
import { basename, dirname } from "node:path"
import { DatabaseSync, type StatementSync } from "node:sqlite"
import { Clock, DateTime, Effect, identity, Result, Schema } from "effect"
import { type SqlConnection, Sqlite, type SqlValue, type StoreError } from "./Sqlite.ts"
import { newerFileError, storeError } from "./storeError.ts"

/** How to open the database. */
export interface OpenSqlite {
  /** `:memory:` keeps everything in memory, for tests. */
  readonly path: string
  /** Statements that lead from schema number i to i + 1, in order; a number once released never changes. */
  readonly migrations: ReadonlyArray<string>
  /** A damaged file is set aside and replaced by a fresh one, or the opening fails. */
  readonly onDamage: "setAside" | "fail"
  /** Functions that statements may call, by name; they depend on their arguments alone. */
  readonly functions?: Readonly<Record<string, (...values: Array<unknown>) => SqlValue>>
}

const MEMORY = ":memory:"
const SIDE_FILES = ["", "-wal", "-shm"]

// Small pages: a change writes whole pages, twice (log and checkpoint), and its rows are far smaller than one.
const PRAGMAS = `
  PRAGMA busy_timeout = 5000;
  PRAGMA page_size = 2048;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA journal_size_limit = 4194304;
  PRAGMA cache_size = -16384;
`

const decodeVersion = Schema.decodeUnknownSync(Schema.Struct({ user_version: Schema.Int }))
const decodeCheck = Schema.decodeUnknownSync(Schema.Struct({ quick_check: Schema.String }))

const connect = (db: DatabaseSync): SqlConnection => {
  const statements = (asLists: boolean) => {
    const prepared = new Map<string, StatementSync>()
    return (sql: string): StatementSync => {
      const known = prepared.get(sql)
      if (known !== undefined) return known
      const made = db.prepare(sql)
      made.setReturnArrays(asLists)
      prepared.set(sql, made)
      return made
    }
  }
  const prepare = statements(false)
  const prepareLists = statements(true)
  return {
    rows: (sql, ...params) => prepareLists(sql).all(...params),
    all: (sql, ...params) => prepare(sql).all(...params),
    get: (sql, ...params) => prepare(sql).get(...params),
    run: (sql, ...params) => Number(prepare(sql).run(...params).lastInsertRowid)
  }
}

const prepareFile = (path: string): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  closeSync(openSync(path, "a", 0o600))
  chmodSync(path, 0o600)
}

const migrate = (db: DatabaseSync, migrations: ReadonlyArray<string>): Result.Result<void, StoreError> => {
  const version = decodeVersion(db.prepare("PRAGMA user_version").get()).user_version
  if (version > migrations.length) return Result.fail(newerFileError())
  for (const [index, sql] of migrations.entries()) {
    if (index >= version) db.exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${index + 1}; COMMIT`)
  }
  return Result.void
}

/** Opens, checks and migrates; the handle is closed again when any of it fails. */
const open = (options: OpenSqlite): Result.Result<DatabaseSync, StoreError> => {
  const opened = Result.try({
    try: () => {
      if (options.path !== MEMORY) prepareFile(options.path)
      return new DatabaseSync(options.path)
    },
    catch: storeError
  })
  return Result.flatMap(opened, (db) => {
    const ready = Result.try({
      try: () => {
        db.exec(PRAGMAS)
        for (const [name, run] of Object.entries(options.functions ?? {})) {
          db.function(name, { deterministic: true, varargs: true }, run)
        }
        return decodeCheck(db.prepare("PRAGMA quick_check(1)").get()).quick_check === "ok"
          ? migrate(db, options.migrations)
          : Result.fail(storeError({ errcode: 11 }))
      },
      catch: storeError
    }).pipe(Result.flatMap(identity))
    if (Result.isFailure(ready)) {
      db.close()
      return Result.fail(ready.failure)
    }
    return Result.succeed(db)
  })
}

const setAside = (path: string, suffix: string): void => {
  for (const side of SIDE_FILES) {
    if (existsSync(`${path}${side}`)) renameSync(`${path}${side}`, `${path}${suffix}${side}`)
  }
}

const inTransaction = <A, E>(
  db: DatabaseSync,
  connection: SqlConnection,
  body: (db: SqlConnection) => Result.Result<A, E>
): Result.Result<Result.Result<A, E>, StoreError> => {
  const outcome = Result.try({
    try: (): Result.Result<A, E> => {
      db.exec("BEGIN IMMEDIATE")
      const result = body(connection)
      db.exec(Result.isSuccess(result) ? "COMMIT" : "ROLLBACK")
      return result
    },
    catch: storeError
  })
  if (Result.isFailure(outcome)) {
    // Some failures (a full disk) end the transaction on their own.
    Result.try(() => {
      if (db.isTransaction) db.exec("ROLLBACK")
    })
  }
  return outcome
}

/** The cause goes to the log here, once; callers only pass the sentence on. */
const failed = (error: StoreError) =>
  Effect.andThen(Effect.logError(`database: ${error.message}`, error.cause), Effect.fail(error))

/**
 * Opens the database for the life of the scope: WAL, every commit synced, mode 0600 in a folder of mode 0700.
 * A file that cannot be read as a database is renamed with the time and replaced by a fresh one (D40).
 */
export const openSqlite = Effect.fn("openSqlite")(function* (options: OpenSqlite) {
  const now = DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))
  const suffix = `.damaged-${now.replace(/[:.]/g, "-")}`
  let aside: string | undefined
  const db = yield* Effect.acquireRelease(
    Effect.fromResult(open(options)).pipe(
      Effect.catchIf(
        (error) => error.reason === "damaged" && options.onDamage === "setAside" && options.path !== MEMORY,
        () =>
          Effect.suspend(() => {
            setAside(options.path, suffix)
            aside = `${basename(options.path)}${suffix}`
            return Effect.fromResult(open(options))
          })
      )
    ),
    (opened) => Effect.sync(() => opened.close())
  )
  if (aside !== undefined) {
    yield* Effect.logError(`the database was damaged: it now lies beside the fresh one as ${aside}`)
  }
  const connection = connect(db)
  return Sqlite.of({
    transaction: (body) =>
      Effect.suspend(() => Effect.fromResult(inTransaction(db, connection, body))).pipe(
        Effect.catch(failed),
        Effect.flatMap(Effect.fromResult)
      ),
    read: (body) =>
      Effect.suspend(() =>
        Effect.fromResult(Result.try({ try: () => body(connection), catch: storeError })).pipe(Effect.catch(failed))
      ),
    state: { setAside: aside }
  })
})

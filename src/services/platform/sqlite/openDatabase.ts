import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, statSync } from "node:fs"
import { basename, dirname } from "node:path"
import { DatabaseSync, type StatementSync } from "node:sqlite"
// Imported from its own module, because threads open databases without the rest of the library.
import * as Result from "effect/Result"
import { fileSystemOf } from "../storage/fileSystems.ts"
import type { SqlConnection, SqlValue } from "./Sqlite.ts"
import { damagedFile, newerFile, type StoreFault, storeFault } from "./storeFault.ts"

/** How to open the database. */
export interface DatabaseOptions {
  /** `:memory:` keeps everything in memory, for tests. */
  readonly path: string
  /** Names the file in messages, such as "the board's file". */
  readonly what: string
  /** Statements that migrate from schema number i to i + 1, in order; released ones never change. */
  readonly migrations: ReadonlyArray<string>
  /** Statements for tables that older programs of the same schema number don't need; run at every opening. */
  readonly additions?: string
  /** Whether a damaged file is set aside and replaced by a new one, or opening fails. */
  readonly onDamage: "setAside" | "fail"
  /** Functions that statements may call, by name; their results depend only on their arguments. */
  readonly functions?: Readonly<Record<string, (...values: Array<unknown>) => SqlValue>>
  /**
   * For gigabytes that can be rebuilt: larger pages, and no full integrity check at every opening, so damage is found
   * when it's read. The file is opened exclusively, so it needs no shared memory and can be read when the disk is full.
   */
  readonly isLarge?: boolean
}

/** An open database; nothing here waits. */
export interface Database {
  /** Runs the body in one transaction: a failure or a thrown error changes nothing. */
  readonly transaction: <A, E>(
    body: (db: SqlConnection) => Result.Result<A, E>
  ) => Result.Result<Result.Result<A, E>, StoreFault>
  readonly read: <A>(body: (db: SqlConnection) => A) => Result.Result<A, StoreFault>
  /** The name a damaged file was given. */
  readonly setAside: string | undefined
  /** Whether the open file is still the one at its path; changes to another one are lost when the process ends. */
  readonly place: () => DatabasePlace
  readonly close: () => void
}

/** `replaced`: the path, or that of its log, has another file; `gone`: it has none. */
type DatabasePlace = "same" | "gone" | "replaced"

const MEMORY = ":memory:"
const SIDE_FILES = ["", "-wal", "-shm"]
const PAGE = 2048
const LARGE_PAGE = 4096
/** The size to which a log is truncated after a checkpoint. */
export const LOG_BYTES = 4_194_304

// Small pages: a change writes whole pages, twice (log and checkpoint), and its rows are much smaller.
const pragmas = (isLarge: boolean) => `
  PRAGMA busy_timeout = 5000;
  PRAGMA page_size = ${isLarge ? LARGE_PAGE : PAGE};
  PRAGMA locking_mode = ${isLarge ? "EXCLUSIVE" : "NORMAL"};
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA journal_size_limit = ${LOG_BYTES};
  PRAGMA cache_size = -16384;
`

const connect = (db: DatabaseSync): SqlConnection => {
  const statements = (asLists: boolean) => {
    const cache = new Map<string, StatementSync>()
    return (sql: string): StatementSync => {
      const known = cache.get(sql)
      if (known !== undefined) return known
      const statement = db.prepare(sql)
      statement.setReturnArrays(asLists)
      cache.set(sql, statement)
      return statement
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
  // File systems without modes refuse.
  Result.try(() => chmodSync(path, 0o600))
}

const pragma = (db: DatabaseSync, name: string): unknown =>
  db.prepare(`PRAGMA ${name}`).get()?.[name.split("(")[0] ?? ""]

const migrate = (
  db: DatabaseSync,
  { migrations, additions, what }: DatabaseOptions
): Result.Result<void, StoreFault> => {
  const version = Number(pragma(db, "user_version"))
  if (version > migrations.length) return Result.fail(newerFile(what))
  for (const [index, sql] of migrations.entries()) {
    if (index >= version) db.exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${index + 1}; COMMIT`)
  }
  if (additions !== undefined) db.exec(`BEGIN IMMEDIATE; ${additions}; COMMIT`)
  return Result.void
}

/** Opens, checks and migrates; closes the handle if any of that fails. */
const open = (options: DatabaseOptions): Result.Result<DatabaseSync, StoreFault> => {
  const fault = storeFault(
    options.what,
    options.path === MEMORY ? undefined : fileSystemOf(dirname(options.path))?.name
  )
  const opened = Result.try({
    try: () => {
      if (options.path !== MEMORY) prepareFile(options.path)
      return new DatabaseSync(options.path)
    },
    catch: fault
  })
  return Result.flatMap(opened, (db) => {
    const ready = Result.try({
      try: () => {
        db.exec(pragmas(options.isLarge === true))
        for (const [name, run] of Object.entries(options.functions ?? {})) {
          db.function(name, { deterministic: true, varargs: true }, run)
        }
        const isWhole = options.isLarge || pragma(db, "quick_check(1)") === "ok"
        return isWhole ? migrate(db, options) : Result.fail(damagedFile(options.what))
      },
      catch: fault
    })
    const outcome = Result.flatMap(ready, (found) => found)
    if (Result.isFailure(outcome)) {
      db.close()
      return Result.fail(outcome.failure)
    }
    return Result.succeed(db)
  })
}

/** Renames a database that isn't open, with the time (ISO 8601); returns its new name. */
export const moveAside = (path: string, now: string): string => {
  const suffix = `.damaged-${now.replace(/[:.]/g, "-")}`
  for (const side of SIDE_FILES) {
    if (existsSync(`${path}${side}`)) renameSync(`${path}${side}`, `${path}${suffix}${side}`)
  }
  return `${basename(path)}${suffix}`
}

/** Which file is at a path. */
export interface Identity {
  readonly inode: number
  readonly device: number
}

export const identityOf = (path: string): Identity | undefined => {
  const info = statSync(path, { throwIfNoEntry: false })
  return info === undefined ? undefined : { inode: info.ino, device: info.dev }
}

export const isSame = (a: Identity, b: Identity | undefined): boolean => a.inode === b?.inode && a.device === b.device

/** Compares the files of an open database with those at its path. */
const placeOf = (path: string) => {
  const [file, log] = path === MEMORY ? [] : ["", "-wal"].map((side) => identityOf(`${path}${side}`))
  const look = (): DatabasePlace => {
    if (file === undefined) return "same"
    const now = identityOf(path)
    if (now === undefined) return "gone"
    if (!isSame(file, now)) return "replaced"
    const logNow = log === undefined ? undefined : identityOf(`${path}-wal`)
    if (log === undefined || isSame(log, logNow)) return "same"
    return logNow === undefined ? "gone" : "replaced"
  }
  /** SQLite would apply the log of a replaced file to the new file and damage it. */
  const removeLog = () => {
    if (file === undefined || log === undefined || isSame(file, identityOf(path))) return
    if (!isSame(log, identityOf(`${path}-wal`))) return
    for (const side of ["-wal", "-shm"]) rmSync(`${path}${side}`, { force: true })
  }
  /** A path that can't be read, such as a disconnected network folder, doesn't count as a change. */
  const place = () => Result.getOrElse(Result.try(look), (): DatabasePlace => "same")
  return { place, removeLog }
}

const use = (db: DatabaseSync, { path, what }: DatabaseOptions, setAside: string | undefined): Database => {
  const connection = connect(db)
  const fault = storeFault(what)
  const begin = db.prepare("BEGIN IMMEDIATE")
  const commit = db.prepare("COMMIT")
  const rollback = db.prepare("ROLLBACK")
  const { place, removeLog } = placeOf(path)
  return {
    transaction: <A, E>(body: (db: SqlConnection) => Result.Result<A, E>) => {
      let isBegun = false
      const outcome = Result.try({
        try: (): Result.Result<A, E> => {
          begin.run()
          isBegun = true
          const result = body(connection)
          if (Result.isSuccess(result)) commit.run()
          else rollback.run()
          return result
        },
        catch: (cause): StoreFault => ({ ...fault(cause), isBeforeBody: !isBegun })
      })
      if (Result.isFailure(outcome)) {
        // Some failures (a full disk) end the transaction by themselves.
        Result.try(() => {
          if (db.isTransaction) rollback.run()
        })
      }
      return outcome
    },
    read: (body) => Result.try({ try: () => body(connection), catch: fault }),
    setAside,
    place,
    close: () => {
      db.close()
      Result.try(removeLog)
    }
  }
}

/**
 * Opens a database: WAL, every commit synced, mode 0600 in a folder of mode 0700. A file that can't be read as a
 * database is renamed with the time (ISO 8601) and replaced by a new one, if the options say so.
 */
export const openDatabase = (options: DatabaseOptions, now: string): Result.Result<Database, StoreFault> => {
  const opened = open(options)
  if (Result.isSuccess(opened)) return Result.succeed(use(opened.success, options, undefined))
  if (opened.failure.reason !== "damaged" || options.onDamage === "fail" || options.path === MEMORY) {
    return Result.fail(opened.failure)
  }
  const aside = moveAside(options.path, now)
  return Result.map(open(options), (db) => use(db, options, aside))
}

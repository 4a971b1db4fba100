import { rmSync, statfsSync, statSync } from "node:fs"
import { dirname } from "node:path"
// Imported from its own module, so the thread starts without the rest of the library.
import * as Result from "effect/Result"
import { failure } from "../../../contract/failures.ts"
import { type Database, openDatabase } from "../../platform/sqlite/openDatabase.ts"
import { isInteger, readRows } from "../../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../../platform/sqlite/Sqlite.ts"
import { type StoreFault, storeFault } from "../../platform/sqlite/storeFault.ts"
import { answerAsks, type ThreadAsk } from "../../platform/thread/threadMessages.ts"
import type { OpenedIndex, SearchStep, SearchStore } from "../SearchThread.ts"
import type { SearchEntry } from "../searchTypes.ts"
import {
  claimAdded,
  discardRole,
  forgetPlace,
  keepOnly,
  nextAdded,
  putEntry,
  readConversations,
  readCounts,
  readStamps,
  removeKeys,
  roleNumber,
  setReadTo,
  setTitles,
  sweep
} from "./entryRows.ts"
import { findEntries, forgetRankings } from "./findRows.ts"
import { searchMigrations } from "./searchMigrations.ts"
import { TranscriptScan } from "./TranscriptScan.ts"

const WHAT = "the search index"
/** Entries whose words are removed in one step. */
const SWEPT = 200
const notBegun: StoreFault = { reason: "other", message: "the search thread was replaced while it read transcripts" }

interface Opened {
  readonly path: string
  readonly inode: number
  readonly database: Database
}

let opened: Opened | undefined
let keepsTools = true
let underWay: TranscriptScan | undefined

const notOpen = Result.fail<StoreFault>(storeFault(WHAT)("not open"))

const read = <A>(body: (db: SqlConnection) => A): Result.Result<A, StoreFault> => opened?.database.read(body) ?? notOpen

const write = <A>(body: (db: SqlConnection) => A): Result.Result<A, StoreFault> =>
  Result.flatMap(opened?.database.transaction((db) => Result.succeed(body(db))) ?? notOpen, (done) => done)

/** The free space that the index leaves for other files, because it grows most. */
const RESERVE = 64 * 1024 * 1024
const RESERVED_SHARE = 0.1
const noRoom: StoreFault = { reason: "disk_full", ...failure("SEARCH_DISK_FULL") }

const checkRoom = (): Result.Result<void, StoreFault> => {
  if (opened === undefined) return notOpen
  const { bavail, blocks, bsize } = statfsSync(dirname(opened.path))
  return bavail * bsize < Math.min(RESERVE, blocks * bsize * RESERVED_SHARE) ? Result.fail(noRoom) : Result.void
}

/** Writes to the index if there's enough free space. */
const grow = <A>(body: (db: SqlConnection) => A): Result.Result<A, StoreFault> =>
  Result.flatMap(checkRoom(), () => write(body))

const inodeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.ino ?? -1

const removeFiles = (path: string): void => {
  for (const side of ["", "-wal", "-shm"]) rmSync(`${path}${side}`, { force: true })
}

const options = (path: string) =>
  ({ path, what: WHAT, migrations: searchMigrations, onDamage: "fail", isLarge: true }) as const

const isComplete = (db: SqlConnection): boolean =>
  readRows([isInteger], db.rows("SELECT complete FROM state"))[0]?.[0] === 1

const open = (path: string, now: string, withTools: boolean): Result.Result<OpenedIndex, StoreFault> => {
  const first = openDatabase(options(path), now)
  // The index can be rebuilt, so an unusable file is replaced.
  const isUseless = Result.isFailure(first) && ["damaged", "newer", "other"].includes(first.failure.reason)
  if (isUseless) Result.try(() => removeFiles(path))
  const second = isUseless ? openDatabase(options(path), now) : first
  return Result.map(second, (database) => {
    // Entries lost in a power cut are read again.
    database.read((db) => {
      db.run("PRAGMA synchronous = NORMAL")
      db.run("PRAGMA foreign_keys = OFF")
    })
    opened = { path, database, inode: inodeOf(path) }
    keepsTools = withTools
    return {
      // The next request finds the damage and repairs it.
      isComplete: Result.getOrElse(database.read(isComplete), () => true),
      replaced: Result.isFailure(first) ? first.failure.reason : undefined
    }
  })
}

const drop = (): Result.Result<void, StoreFault> => {
  const path = opened?.path
  opened?.database.close()
  opened = undefined
  underWay = undefined
  forgetRankings()
  return Result.try({ try: () => (path === undefined ? undefined : removeFiles(path)), catch: storeFault(WHAT) })
}

const put = (entries: ReadonlyArray<SearchEntry>) =>
  grow((db) => {
    const added = claimAdded(db)
    for (const entry of entries.toSorted((a, b) => a.at - b.at)) {
      if (entry.role !== "tool" || keepsTools) putEntry(db, entry, { added })
    }
  })

const scan = (now: number): Result.Result<SearchStep, StoreFault> => {
  const current = underWay
  // The thread that began is gone, and with it how far it was.
  if (current === undefined) return Result.fail(notBegun)
  return Result.map(
    grow((db) => current.step(db, now, keepsTools)),
    (step) => {
      if (step.isDone) underWay = undefined
      return step
    }
  )
}

const tidy = (): Result.Result<SearchStep, StoreFault> =>
  Result.map(
    write((db) => sweep(db, SWEPT)),
    (left) => ({ isDone: left === 0, progress: left === 0 ? 1 : 0 })
  )

/** Without what was looked for, which the database's own words may repeat. */
const unquoted = ({ cause, ...fault }: StoreFault): StoreFault => {
  const code: unknown = typeof cause === "object" && cause !== null ? Reflect.get(cause, "errcode") : undefined
  return { ...fault, cause: `code ${String(code)}` }
}

const answer = (ask: ThreadAsk<SearchStore>): Result.Result<unknown, StoreFault> => {
  switch (ask[0]) {
    case "open":
      return open(ask[1], ask[2], ask[3])
    case "drop":
      return drop()
    case "isThere":
      return Result.succeed(opened !== undefined && inodeOf(opened.path) === opened.inode)
    case "checkRoom":
      return checkRoom()
    case "isComplete":
      return read(isComplete)
    case "setComplete":
      return write((db) => void db.run("UPDATE state SET complete = 1"))
    case "search":
      return Result.mapError(
        read((db) => findEntries(db, ask[1])),
        unquoted
      )
    case "put":
      return put(ask[1])
    case "stamps":
      return read((db) => readStamps(db, ask[1]))
    case "remove":
      return write((db) => removeKeys(db, ask[1], ask[2]))
    case "forget":
      return write((db) => forgetPlace(db, ask[1]))
    case "nextAdded":
      return read(nextAdded)
    case "keepOnly":
      return write((db) => keepOnly(db, ask[1], ask[2], ask[3]))
    case "conversations":
      return read((db) => readConversations(db, ask[1]))
    case "setReadTo":
      return write((db) => setReadTo(db, ask[1], ask[2]))
    case "setTitles":
      return write((db) => setTitles(db, ask[1], ask[2]))
    case "dropTools":
      keepsTools = false
      return write((db) => discardRole(db, roleNumber("tool")))
    case "beginScan": {
      const next = new TranscriptScan(ask[1], ask[2])
      underWay = next
      return write((db) => next.forgetGone(db))
    }
    case "scan":
      return scan(ask[1])
    case "tidy":
      return tidy()
    case "counts":
      return read(readCounts)
  }
}

// The thread that reads transcripts, indexes and searches, so that none of it holds up the console.
answerAsks(answer)

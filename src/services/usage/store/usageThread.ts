import { statSync } from "node:fs"
// Imported from its own module, so the thread starts without the rest of the library.
import * as Result from "effect/Result"
import { type Database, moveAside, openDatabase } from "../../platform/sqlite/openDatabase.ts"
import type { SqlConnection } from "../../platform/sqlite/Sqlite.ts"
import { type StoreFault, storeFault } from "../../platform/sqlite/storeFault.ts"
import { answerAsks, type ThreadAsk } from "../../platform/thread/threadMessages.ts"
import type { TranscriptFolder } from "../../transcripts/transcriptFolders.ts"
import { type ChangedTranscript, TranscriptIndex } from "../transcripts/TranscriptIndex.ts"
import type { UsageStore } from "../UsageThread.ts"
import { needsRates, saveGatewayDay, saveRates, saveSessionWork, storedGatewayDays } from "./gatewayRows.ts"
import { beginRecount, endRecount, readExcess } from "./recountRows.ts"
import { isSettled, readHistory, readTotals, settle, touch } from "./totalRows.ts"
import {
  type CountedTranscript,
  countTranscript,
  forgetTranscripts,
  readStates,
  transcriptsWithCopies
} from "./transcriptRows.ts"
import { usageAdditions, usageMigrations } from "./usageMigrations.ts"

const WHAT = "the token usage's file"

let database: Database | undefined
/** How far the transcripts have been read; reloaded from the database after a failure. */
let index: TranscriptIndex | undefined

const notOpen = Result.fail<StoreFault>(storeFault(WHAT)("not open"))

const read = <A>(body: (db: SqlConnection) => A): Result.Result<A, StoreFault> => database?.read(body) ?? notOpen

const write = (body: (db: SqlConnection) => void): Result.Result<void, StoreFault> =>
  Result.flatMap(
    database?.transaction((db) => {
      body(db)
      return Result.void
    }) ?? notOpen,
    (done) => done
  )

/** Opens the file and reads from every table, so that one that's of no use is known now. */
const openWhole = (path: string, now: string): Result.Result<string | undefined, StoreFault> =>
  Result.flatMap(
    openDatabase(
      { path, what: WHAT, migrations: usageMigrations, additions: usageAdditions, onDamage: "setAside" },
      now
    ),
    (opened) => {
      database = opened
      // What a power cut loses here is still in the transcripts and is read again.
      opened.read((db) => db.run("PRAGMA synchronous = NORMAL"))
      const looked = Result.all([write(beginRecount), read(readTotals), read(readStates), read(storedGatewayDays)])
      return Result.map(looked, () => opened.setAside)
    }
  )

/** Everything in it can be counted again, so a file that can't be used makes room for a new one. */
const isUseless = (path: string, { reason }: StoreFault): boolean =>
  ["damaged", "newer", "other"].includes(reason) && statSync(path, { throwIfNoEntry: false })?.isFile() === true

const open = (path: string, now: string): Result.Result<string | undefined, StoreFault> => {
  const first = openWhole(path, now)
  if (Result.isSuccess(first) || !isUseless(path, first.failure)) return first
  database?.close()
  database = undefined
  const aside = Result.try({ try: () => moveAside(path, now), catch: storeFault(WHAT) })
  return Result.flatMap(aside, (name) => Result.map(openWhole(path, now), () => name))
}

/** SQLite's own failures, beside those of the files that are read within a transaction. */
const isOfDatabase = (cause: unknown): boolean =>
  typeof cause === "object" && cause !== null && Reflect.get(cause, "code") === "ERR_SQLITE_ERROR"

/** Reads and stores one transcript; one that's gone or can't be read changes nothing, and the next scan tries again. */
const count = (transcript: ChangedTranscript): Result.Result<CountedTranscript | undefined, StoreFault> =>
  Result.flatMap(
    database?.transaction((db) => {
      const path = `${transcript.folder}/${transcript.name}`
      const counted = Result.try(() => countTranscript(db, path, transcript))
      if (Result.isFailure(counted) && isOfDatabase(counted.failure)) throw counted.failure
      return counted
    }) ?? notOpen,
    (counted) => Result.succeed(Result.getOrUndefined(counted))
  )

const scan = (folders: ReadonlyArray<TranscriptFolder>): Result.Result<void, StoreFault> => {
  const seeded =
    index === undefined ? Result.map(read(readStates), (states) => new TranscriptIndex(states)) : Result.succeed(index)
  if (Result.isFailure(seeded)) return Result.fail(seeded.failure)
  const known = seeded.success
  // Only set at the end, so that what was read but couldn't be stored is read again.
  index = undefined
  let stored: Result.Result<void, StoreFault> = Result.void
  let hasReleased = false
  const readOne = (transcript: ChangedTranscript) => {
    if (Result.isFailure(stored)) return undefined
    const counted = count(transcript)
    if (Result.isFailure(counted)) stored = Result.fail(counted.failure)
    const found = Result.getOrUndefined(counted)
    if (found?.hasReleased) hasReleased = true
    return found?.state
  }
  const look = () => folders.flatMap((folder) => known.scan(folder, readOne))
  const gone = look()
  if (Result.isSuccess(stored) && gone.length > 0) stored = write((db) => forgetTranscripts(db, gone))
  if (Result.isSuccess(stored) && (hasReleased || gone.length > 0)) {
    // Copies of answers whose file is gone count now.
    const withCopies = read(transcriptsWithCopies)
    if (Result.isFailure(withCopies)) return Result.fail(withCopies.failure)
    for (const { folder, name } of withCopies.success) known.readAgain(folder, name)
    if (withCopies.success.length > 0) look()
  }
  if (Result.isSuccess(stored)) index = known
  return stored
}

const answer = (ask: ThreadAsk<UsageStore>): Result.Result<unknown, StoreFault> => {
  switch (ask[0]) {
    case "open":
      return open(ask[1], ask[2])
    case "scan":
      return scan(ask[1])
    case "totals":
      return read(readTotals)
    case "history":
      return read((db) => readHistory(db, ask[1]))
    case "isSettled":
      return read(isSettled)
    case "settle":
      return write((db) => settle(db, ask[1], ask[2]))
    case "excess":
      return read(readExcess)
    case "endRecount":
      return write(endRecount)
    case "touch":
      return write((db) => touch(db, ask[1]))
    case "gatewayDays":
      return read(storedGatewayDays)
    case "saveGatewayDay":
      return write((db) => saveGatewayDay(db, ask[1], ask[2]))
    case "saveSessionWork":
      return write((db) => saveSessionWork(db, ask[1]))
    case "needsRates":
      return read(needsRates)
    case "saveRates":
      return write((db) => saveRates(db, ask[1]))
  }
}

// The thread that reads transcripts and keeps the totals, so that neither a gigabyte of the former nor a year of the
// latter blocks the console.
answerAsks(answer)

// Imported from its own module, so the thread starts without the rest of the library.
import * as Result from "effect/Result"
import { type Database, openDatabase } from "../../platform/sqlite/openDatabase.ts"
import type { SqlConnection } from "../../platform/sqlite/Sqlite.ts"
import { type StoreFault, storeFault } from "../../platform/sqlite/storeFault.ts"
import { answerAsks } from "../../platform/thread/answerAsks.ts"
import type { ThreadAsk } from "../../platform/thread/threadMessages.ts"
import { TranscriptIndex } from "../transcripts/TranscriptIndex.ts"
import type { TranscriptChange, TranscriptFolder } from "../transcripts/TranscriptState.ts"
import { saveGatewayDay, storedGatewayDays } from "./gatewayRows.ts"
import { readHistory } from "./historyRows.ts"
import { needsRates, saveRates } from "./rateRows.ts"
import { saveSessionWork } from "./sessionWorkRows.ts"
import { isSettled, readTotals, settle, touch } from "./totalRows.ts"
import { forgetTranscripts, readSeed, saveChange } from "./transcriptRows.ts"
import type { UsageStore } from "./usageMessages.ts"
import { usageAdditions, usageMigrations } from "./usageMigrations.ts"

const WHAT = "the token usage's file"
/** Rows stored at a time. */
const BATCH_ROWS = 1000

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

const open = (path: string, now: string): Result.Result<string | undefined, StoreFault> =>
  Result.map(
    openDatabase(
      { path, what: WHAT, migrations: usageMigrations, additions: usageAdditions, onDamage: "setAside" },
      now
    ),
    (opened) => {
      database = opened
      // What a power cut loses here is still in the transcripts and is read again.
      opened.read((db) => db.run("PRAGMA synchronous = NORMAL"))
      return opened.setAside
    }
  )

const scan = (folders: ReadonlyArray<TranscriptFolder>): Result.Result<void, StoreFault> => {
  const seeded =
    index === undefined ? Result.map(read(readSeed), (seed) => new TranscriptIndex(seed)) : Result.succeed(index)
  if (Result.isFailure(seeded)) return Result.fail(seeded.failure)
  const known = seeded.success
  // Only set at the end, so that what was read but couldn't be stored is read again.
  index = undefined
  let stored: Result.Result<void, StoreFault> = Result.void
  let changes: Array<TranscriptChange> = []
  let rows = 0
  const flush = () => {
    const batch = changes
    changes = []
    rows = 0
    if (Result.isSuccess(stored)) {
      stored = write((db) => {
        for (const change of batch) saveChange(db, change)
      })
    }
  }
  const gone = folders.flatMap((folder) =>
    known.scan(folder, (change) => {
      changes.push(change)
      rows += 1 + change.rows.length
      if (rows >= BATCH_ROWS) flush()
    })
  )
  if (changes.length > 0) flush()
  if (Result.isSuccess(stored) && gone.length > 0) stored = write((db) => forgetTranscripts(db, gone))
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

import { DatabaseSync } from "node:sqlite"
// Imported from its own module, so the thread starts without the rest of the library.
import * as Result from "effect/Result"
import { answerAsks } from "../thread/threadMessages.ts"
import { type Identity, identityOf, isSame, LOG_BYTES } from "./openDatabase.ts"
import { type StoreFault, storeFault } from "./storeFault.ts"

/** The thread's operations. */
export interface Checkpoints {
  /**
   * Checkpoints the whole log into the database, both synced, and restarts the log; false if another connection prevents
   * it. A file other than `file` is left alone.
   */
  readonly checkpoint: (path: string, what: string, file: Identity) => boolean
}

const BUSY_MS = 1000

/** The first change after a restart syncs the log's header, so it's made here: the version is rewritten unchanged. */
const restart = (db: DatabaseSync): boolean => {
  db.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = ${LOG_BYTES}`)
  if (db.prepare("PRAGMA wal_checkpoint(RESTART)").get()?.busy !== 0) return false
  db.exec("BEGIN IMMEDIATE")
  const version = Number(db.prepare("PRAGMA user_version").get()?.user_version)
  db.exec(`PRAGMA user_version = ${version}; COMMIT`)
  return true
}

answerAsks<Checkpoints>(([, path, what, file]): Result.Result<boolean, StoreFault> => {
  if (!isSame(file, identityOf(path))) return Result.succeed(false)
  const fault = storeFault(what)
  return Result.flatMap(Result.try({ try: () => new DatabaseSync(path), catch: fault }), (db) => {
    const done = Result.try({ try: () => restart(db), catch: fault })
    db.close()
    return done
  })
})

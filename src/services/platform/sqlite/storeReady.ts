import { Clock, Effect, Result } from "effect"
import { Sqlite, type SqliteShape, type StoreError } from "./Sqlite.ts"

/** A table with one row that is only written to test writing. */
export const readyAdditions = `
  CREATE TABLE IF NOT EXISTS write_trial ("only" INTEGER PRIMARY KEY CHECK ("only" = 1), content BLOB NOT NULL) STRICT;
`

/** The size of a card with a long text: a nearly full disk would still accept a smaller row. */
const BYTES = 32_768
const WRITE = "INSERT INTO write_trial VALUES (1, zeroblob(?)) ON CONFLICT DO UPDATE SET content = excluded.content"

/** Every write waits for the disk. */
const TRY_AGAIN_MS = 1000

/** Tests whether the store can be written. */
export const tryStoreWrite = (sqlite: SqliteShape): Effect.Effect<void, StoreError> =>
  Effect.asVoid(sqlite.transaction((db) => Result.succeed(db.run(WRITE, BYTES))))

/** Whether the console's database can be written now; tested at most once a second. */
export const makeStoreReady = Effect.gen(function* () {
  const sqlite = yield* Sqlite
  let triedAt = Number.NEGATIVE_INFINITY
  let isReady = true
  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (now - triedAt < TRY_AGAIN_MS) return isReady
    triedAt = now
    const written = yield* Effect.result(tryStoreWrite(sqlite))
    isReady = Result.isSuccess(written)
    return isReady
  })
})

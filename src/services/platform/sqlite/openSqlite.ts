import { Clock, DateTime, Effect, Result } from "effect"
import { type DatabaseOptions, openDatabase } from "./openDatabase.ts"
import { Sqlite, StoreError } from "./Sqlite.ts"
import type { StoreFault } from "./storeFault.ts"

const storeError = (fault: StoreFault) => new StoreError(fault)

/** Logs the cause once; callers only pass the message on. */
const failed = (fault: StoreFault) =>
  Effect.andThen(Effect.logError(`database: ${fault.message}`, fault.cause), Effect.fail(storeError(fault)))

/** Opens the database for the life of the scope, as `openDatabase` does. */
export const openSqlite = Effect.fn("openSqlite")(function* (options: DatabaseOptions) {
  const now = DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))
  const database = yield* Effect.acquireRelease(
    Effect.suspend(() => Effect.fromResult(Result.mapError(openDatabase(options, now), storeError))),
    (opened) => Effect.sync(() => opened.close())
  )
  const { setAside } = database
  if (setAside !== undefined) {
    yield* Effect.logError(`The database was damaged. It was renamed to ${setAside} and replaced by a new one`)
  }
  return Sqlite.of({
    transaction: (body) =>
      Effect.suspend(() => Effect.fromResult(database.transaction(body))).pipe(
        Effect.catch(failed),
        Effect.flatMap(Effect.fromResult)
      ),
    read: (body) => Effect.suspend(() => Effect.fromResult(database.read(body))).pipe(Effect.catch(failed)),
    state: { setAside }
  })
})

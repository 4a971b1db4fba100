import { Clock, DateTime, Deferred, Effect, Result, Semaphore } from "effect"
import { type DatabaseOptions, openDatabase } from "./openDatabase.ts"
import { type SqlConnection, Sqlite, StoreError } from "./Sqlite.ts"
import { misplacedFile, type StoreFault } from "./storeFault.ts"
import { syncedLog } from "./syncedLog.ts"

/** How long a transaction waits for another program, and how often it retries. */
const PATIENCE_MS = 5000
const RETRY_EVERY = "20 millis"

const storeError = ({ isBeforeBody: _, ...fault }: StoreFault) => new StoreError(fault)

/** Logs the cause once; callers only pass the message on. */
const failed = (fault: StoreFault) =>
  Effect.andThen(Effect.logError(`database: ${fault.message}`, fault.cause), Effect.fail(storeError(fault)))

/** Retries while another program has the database, without blocking anything else. */
const patiently = Effect.fnUntraced(function* <A>(
  attempt: () => Result.Result<A, StoreFault>,
  deadline: number,
  mayRepeat: (fault: StoreFault) => boolean
) {
  for (;;) {
    const outcome = attempt()
    const isBusy = Result.isFailure(outcome) && outcome.failure.reason === "busy" && mayRepeat(outcome.failure)
    if (!isBusy || (yield* Clock.currentTimeMillis) >= deadline) return outcome
    yield* Effect.sleep(RETRY_EVERY)
  }
})

/** The same at the start, where people read the log: SQLite's message is enough. */
const notOpened = (fault: StoreFault) => {
  const { cause } = fault
  const said = cause instanceof Error && "errcode" in cause ? `${cause.message} (${String(cause.errcode)})` : undefined
  const logged = fault.reason === "other" && said !== undefined ? Effect.logError(`database: ${said}`) : Effect.void
  return Effect.andThen(logged, Effect.fail(storeError(fault)))
}

/** Opens the database for the life of the scope, as `openDatabase` does. */
export const openSqlite = Effect.fn("openSqlite")(function* (options: DatabaseOptions) {
  const now = DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))
  const database = yield* Effect.acquireRelease(
    Effect.suspend(() => Effect.fromResult(openDatabase(options, now))).pipe(Effect.catch(notOpened)),
    (opened) => Effect.sync(() => opened.close())
  )
  // SQLite's waiting would block the event loop.
  database.read((db) => db.run("PRAGMA busy_timeout = 0"))
  const { setAside } = database
  if (setAside !== undefined) {
    yield* Effect.logError(`The database was damaged. It was renamed to ${setAside} and replaced by a new one`)
  }

  const replaced = yield* Deferred.make<never, StoreError>()
  const misplaced = misplacedFile(options.what)
  /** Fails if the file is no longer at its path: changes to it would be lost after a restart. */
  const checkPlace = (): Result.Result<void, StoreFault> => {
    const place = database.place()
    if (place === "replaced") Deferred.doneUnsafe(replaced, Effect.fail(storeError(misplaced)))
    return place === "same" ? Result.void : Result.fail(misplaced)
  }

  const order = Semaphore.makeUnsafe(1)
  let waiting = 0
  const queued = <A, E>(work: Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      waiting++
      return Effect.ensuring(
        order.withPermit(work),
        Effect.sync(() => {
          waiting--
        })
      )
    })
  const inTurn = <A>(attempt: () => Result.Result<A, StoreFault>) =>
    Effect.gen(function* () {
      const mayRepeat = ({ isBeforeBody }: StoreFault) => isBeforeBody === true
      // Without waiting transactions, this one ends before anything else runs.
      if (waiting === 0) {
        const first = attempt()
        if (Result.isSuccess(first) || first.failure.reason !== "busy" || !mayRepeat(first.failure)) return first
      }
      const deadline = (yield* Clock.currentTimeMillis) + PATIENCE_MS
      return yield* queued(patiently(attempt, deadline, mayRepeat))
    })
  const synced = yield* syncedLog(database, options, queued)

  return Sqlite.of({
    transaction: <A, E>(body: (db: SqlConnection) => Result.Result<A, E>) =>
      inTurn(() => Result.flatMap(checkPlace(), () => database.transaction(body))).pipe(
        Effect.flatMap(Effect.fromResult),
        // A transaction without changes waits, too: what it read may be a change that is still being synced.
        Effect.tap((done) => (Result.isSuccess(done) ? synced : Effect.void)),
        Effect.catch(failed),
        Effect.flatMap(Effect.fromResult)
      ),
    read: (body) =>
      Effect.gen(function* () {
        const first = database.read(body)
        if (Result.isSuccess(first) || first.failure.reason !== "busy") return first
        const deadline = (yield* Clock.currentTimeMillis) + PATIENCE_MS
        return yield* patiently(
          () => database.read(body),
          deadline,
          () => true
        )
      }).pipe(Effect.flatMap(Effect.fromResult), Effect.catch(failed)),
    replaced: Deferred.await(replaced),
    state: { setAside }
  })
})

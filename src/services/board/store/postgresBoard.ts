import { randomUUID } from "node:crypto"
import {
  Clock,
  Deferred,
  Effect,
  Fiber,
  Layer,
  Queue,
  type Redacted,
  Result,
  Schedule,
  Schema,
  Semaphore,
  Stream
} from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { StoreError } from "../../platform/sqlite/Sqlite.ts"
import { type Mutation, Published } from "../boardEvents.ts"
import { type BoardDb, BoardStore, type ConsoleName } from "./BoardStore.ts"
import { connectPostgres, PATIENCE_MS, postgresDb } from "./postgresDb.ts"
import { databaseAway, isReadOnly, postgresFault } from "./postgresFault.ts"
import { BOARD_CHANNEL } from "./postgresSchema.ts"
import { preparePostgres, tryToWrite } from "./preparePostgres.ts"

/** One for the listener, one for the reader of what was published, the rest for requests. */
const CONNECTIONS = 8
const REQUESTS_AT_ONCE = CONNECTIONS - 2
/** One writes and one is next in the server's queue; the others wait here, where they block neither readers nor other consoles. */
const WRITERS_AT_ONCE = 2
/** How long a request waits for its turn while others get answers. */
const LONGEST_MS = 20_000
const EVENTS_AT_ONCE = 100
/** A notification can be lost; its events are read after this time at the latest. */
const LOOK_AGAIN = "2 seconds"
/** The pause between two reads while others write continuously. */
const BETWEEN_LOOKS = "10 millis"

const RELISTEN = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("2 seconds")])

const decodeTurn = Schema.decodeUnknownSync(Schema.Struct({ revision: Schema.Int, now: Schema.Int }))
const decodeEvents = Schema.decodeUnknownSync(
  Schema.Array(Schema.Struct({ revision: Schema.Int, body: Schema.String }))
)
const decodePublished = Schema.decodeUnknownEffect(Schema.fromJsonString(Published))

/** Every writer takes this row first, so writers wait for each other and revisions are in the order of the commits. */
const CLAIM_TURN = `UPDATE board_state SET revision = revision + 1
  RETURNING revision, (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`
const PUBLISH = `WITH inserted AS (INSERT INTO board_events (revision, body) VALUES (?, ?) RETURNING revision)
  SELECT pg_notify('${BOARD_CHANNEL}', revision::text) FROM inserted`
const READ_EVENTS = `SELECT revision, body FROM board_events WHERE revision > ? ORDER BY revision LIMIT ${EVENTS_AT_ONCE}`

/** How often the connections to a server that doesn't take changes are given up. */
const LEAVE_AGAIN_MS = 10_000
const CLOSE_ALL = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1"
const TRY_AGAIN_MS = 1000

const READ_ONLY = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
/** It needs no transaction around it. */
const ONE_STATEMENT = "one statement"
type Begin = "BEGIN" | typeof READ_ONLY | typeof ONE_STATEMENT

/** A console that was away for longer shows old pages until they are loaded again. */
const PRUNE = "DELETE FROM board_events WHERE at < clock_timestamp() - interval '7 days'"

/** No console had that gateway for a day, so there's nothing left to stop. */
const PRUNE_STOPS =
  "DELETE FROM task_runs WHERE state = 'stopping' AND lease_until < clock_timestamp() - interval '1 day'"

interface PostgresBoardOptions {
  readonly url: Redacted.Redacted
  readonly self: ConsoleName
  /** Replaces the server's time of changes, in epoch milliseconds. Consoles' clocks may differ; the server's is one. */
  readonly clock?: Effect.Effect<number>
  /** How long an answer may take. */
  readonly patienceMs?: number
}

/** A body's own failure, apart from those of the database. */
class Refused<E> {
  readonly _tag = "Refused"
  readonly failure: E
  constructor(failure: E) {
    this.failure = failure
  }
}

const isUnavailable = (failure: unknown): failure is StoreError =>
  failure instanceof StoreError && failure.reason === "unavailable"

/** A closed connection can't roll back, which the client reports as a defect; the server rolls back by itself. */
const fromDefect = (cause: unknown) =>
  Effect.fail(
    cause instanceof Refused || SqlError.isSqlError(cause)
      ? databaseAway
      : new StoreError({
          reason: "other",
          message: "couldn't read the board's database: the console's log has the cause",
          cause
        })
  )

/** The board in a PostgreSQL database that several consoles share; it may be away at any time, also at the start. */
export const PostgresBoard = ({ clock, patienceMs = PATIENCE_MS, self, url }: PostgresBoardOptions) =>
  Layer.effect(
    BoardStore,
    Effect.gen(function* () {
      const name = randomUUID()
      const sql = yield* Effect.mapError(
        connectPostgres(url, { connections: CONNECTIONS, name, patienceMs }),
        postgresFault
      )
      const tables = postgresDb(sql)
      const db: BoardDb = {
        ...tables,
        // Behind the same address may be another server now, which doesn't have the last changes.
        generation: Effect.map(tables.generation, (generation) => generation + connected * 2 ** 32)
      }
      const scope = yield* Effect.scope
      // The server's answers take real time, even if the caller has a test clock.
      const time = yield* Clock.Clock
      const inTime = Effect.provideService(Clock.Clock, time)
      const preparing = yield* Semaphore.make(1)
      const slots = yield* Semaphore.make(REQUESTS_AT_ONCE)
      const writers = yield* Semaphore.make(WRITERS_AT_ONCE)
      const bell = yield* Queue.sliding<void>(1)
      let isReady = false
      /** How often a connection to the server was established. */
      let connected = 0
      let problem: string | undefined
      let answeredAt = 0
      /** The last commit whose events were delivered. */
      let position = 0
      let isPlaced = false
      let leftAt = Number.NEGATIVE_INFINITY
      let triedAt = Number.NEGATIVE_INFINITY

      const prepare = Effect.suspend(() =>
        isReady
          ? Effect.void
          : Effect.map(preparePostgres(sql), (revision) => {
              isReady = true
              connected += 1
              // A server that has lost commits counts on from an earlier one.
              position = isPlaced ? Math.min(position, revision) : revision
              isPlaced = true
            })
      ).pipe(preparing.withPermit)

      /**
       * Ends when a request may wait no longer: it got its turn and no answer, or no request gets an answer. `begun` is
       * when it got its turn.
       */
      const patience = Effect.fnUntraced(function* (begun: () => number | undefined) {
        const from = yield* Clock.currentTimeMillis
        yield* Effect.sleep(patienceMs)
        for (;;) {
          const now = yield* Clock.currentTimeMillis
          const isSilent = now - (begun() ?? answeredAt) >= patienceMs
          if (isSilent || now - from > Math.max(LONGEST_MS, patienceMs)) return
          yield* Effect.sleep("100 millis")
        }
      }, inTime)

      const now = inTime(Clock.currentTimeMillis)
      const noteAnswer = Effect.map(now, (time) => {
        answeredAt = time
        problem = undefined
      })

      const noteFailure = (failure: unknown) =>
        Effect.suspend(() => {
          if (!isUnavailable(failure)) {
            return failure instanceof StoreError && failure.cause !== undefined
              ? Effect.andThen(Effect.logError(`database: ${failure.message}`, failure.cause), noteAnswer)
              : noteAnswer
          }
          const isNews = problem !== failure.message
          isReady = false
          problem = failure.message
          const said = isNews ? Effect.logWarning(`The board can't be used: ${failure.message}`) : Effect.void
          return isReadOnly(failure) ? Effect.andThen(said, leave) : said
        })

      /**
       * A server that became read-only keeps its connections, although the address may lead to its successor by now: they
       * are closed, and the next ones go where it leads.
       */
      const leave = Effect.flatMap(now, (time) => {
        if (time - leftAt < LEAVE_AGAIN_MS) return Effect.void
        leftAt = time
        return Effect.ignore(sql.unsafe(CLOSE_ALL, [`agent-console ${name}`])).pipe(Effect.forkIn(scope), Effect.asVoid)
      })

      /**
       * Runs one body in a transaction, in a fiber of its own: callers don't wait for a silent connection, which takes
       * seconds to time out, and an interrupted caller doesn't leave it half done.
       */
      const transaction = Effect.fnUntraced(function* <A, E>(
        body: Effect.Effect<A, E>,
        begin: Begin = "BEGIN"
      ): Effect.fn.Return<A, E | StoreError> {
        const answer = yield* Deferred.make<A, E | StoreError>()
        let begun: number | undefined
        const work = yield* body.pipe(
          Effect.mapError((failure) => new Refused(failure)),
          (statements) =>
            begin === ONE_STATEMENT
              ? statements
              : Effect.provideService(sql.withTransaction(statements), SqlClient.BeginTransaction, begin),
          (inTransaction) =>
            Effect.flatMap(now, (time) => {
              begun = time
              return inTransaction
            }),
          slots.withPermit,
          (inSlot) => (begin === "BEGIN" ? writers.withPermit(inSlot) : inSlot),
          (inTurn) => Effect.andThen(prepare, inTurn),
          Effect.catchDefect(fromDefect),
          Effect.mapError((failure): E | StoreError => {
            if (failure._tag === "SqlError") return postgresFault(failure)
            return failure._tag === "Refused" ? failure.failure : failure
          }),
          Effect.tap(() => noteAnswer),
          Effect.tapError(noteFailure),
          Effect.interruptible,
          Effect.exit,
          Effect.flatMap((exit) => Deferred.done(answer, exit)),
          Effect.forkIn(scope)
        )
        const watch = yield* patience(() => begun).pipe(
          Effect.andThen(Deferred.fail(answer, databaseAway)),
          Effect.andThen(noteFailure(databaseAway)),
          Effect.andThen(Fiber.interrupt(work)),
          Effect.interruptible,
          Effect.forkIn(scope)
        )
        return yield* Effect.ensuring(Deferred.await(answer), Effect.forkIn(Fiber.interrupt(watch), scope))
      })

      /** Reads may work while writes don't, so a change is made and rolled back, once a second at most. */
      const problemNow = Effect.gen(function* () {
        const time = yield* now
        if (problem !== undefined || time - triedAt < TRY_AGAIN_MS) return problem
        triedAt = time
        const tried = yield* Effect.result(transaction(tryToWrite(sql, { schema: true, made: true }), ONE_STATEMENT))
        return Result.isFailure(tried) && isUnavailable(tried.failure) ? tried.failure.message : problem
      })

      const read = <A, E>(body: Effect.Effect<A, E>) => transaction(body, READ_ONLY)

      const deliverAll = (onPublished: (published: Published) => Effect.Effect<void>) =>
        Effect.gen(function* () {
          for (let isMore = true; isMore; ) {
            const read = Effect.suspend(() => db.all(READ_EVENTS, position))
            const rows = decodeEvents(yield* transaction(read, ONE_STATEMENT))
            for (const { revision, body } of rows) {
              yield* Effect.matchEffect(decodePublished(body), {
                onSuccess: onPublished,
                onFailure: () => Effect.logWarning(`Change ${revision} of the board can't be read: update this console`)
              })
              position = Math.max(position, revision)
            }
            isMore = rows.length === EVENTS_AT_ONCE
          }
        })

      const listen = Stream.unwrap(
        Effect.map(sql.listen(BOARD_CHANNEL), (queue) =>
          // Notifications from before the subscription are lost.
          Stream.concat(
            Stream.succeed(undefined),
            Stream.map(Stream.fromQueue(queue), () => undefined)
          )
        )
      ).pipe(
        Stream.runForEach(() => Queue.offer(bell, undefined)),
        Effect.retry(RELISTEN)
      )

      const prune = Effect.ignore(transaction(Effect.andThen(db.run(PRUNE), db.run(PRUNE_STOPS)))).pipe(
        Effect.repeat(Schedule.spaced("1 hour"))
      )

      return BoardStore.of({
        mutate: <A, E>(body: (db: BoardDb, now: number) => Effect.Effect<Mutation<A>, E>) =>
          transaction(
            Effect.gen(function* () {
              const { revision, now: serverNow } = decodeTurn(yield* db.get(CLAIM_TURN))
              const done = yield* body(db, clock === undefined ? serverNow : yield* clock)
              const { value, ...published } = done
              if (published.changes.length + published.runs.length > 0) {
                yield* db.run(PUBLISH, revision, JSON.stringify(published))
              }
              return value
            })
          ),
        read: (body) => read(body(db)),
        follow: Effect.fnUntraced(function* (onPublished) {
          const look = Effect.andThen(Effect.ignore(deliverAll(onPublished)), inTime(Effect.sleep(BETWEEN_LOOKS)))
          yield* Effect.forkScoped(listen)
          yield* Effect.forkScoped(prune)
          yield* Effect.andThen(look, Effect.raceFirst(Queue.take(bell), Effect.sleep(LOOK_AGAIN).pipe(inTime))).pipe(
            Effect.forever,
            Effect.forkScoped
          )
        }),
        shared: { self, problem: problemNow }
      })
    })
  )

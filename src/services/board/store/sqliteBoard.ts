import { Clock, Effect, Exit, Layer, Result } from "effect"
import { groupCommit } from "../../platform/sqlite/groupCommit.ts"
import { numberIn } from "../../platform/sqlite/rowGuards.ts"
import { type SqlConnection, Sqlite } from "../../platform/sqlite/Sqlite.ts"
import type { Published } from "../boardEvents.ts"
import { type BoardDb, BoardStore } from "./BoardStore.ts"

/** As on the other store, statements run when their effects are run, not when they are made; none of them waits. */
const boardDb = (db: SqlConnection): BoardDb => ({
  dialect: "sqlite",
  all: (sql, ...params) => Effect.sync(() => db.all(sql, ...params)),
  rows: (sql, ...params) => Effect.sync(() => db.rows(sql, ...params)),
  get: (sql, ...params) => Effect.sync(() => db.get(sql, ...params)),
  run: (sql, ...params) => Effect.sync(() => void db.run(sql, ...params)),
  // Every change of a task by this process raises its version; this number counts changes by other processes.
  generation: Effect.sync(() => numberIn(db.rows("PRAGMA data_version")))
})

/** Nothing in a body waits, so it runs from end to end inside the transaction; one that waited would be refused. */
const atOnce = <A, E>(body: Effect.Effect<A, E>): Result.Result<A, E> => {
  const exit = Effect.runSyncExit(body)
  return Exit.isSuccess(exit) ? Result.succeed(exit.value) : Effect.runSync(Effect.result(exit))
}

/** The board in the console's own database. */
export const SqliteBoard = Layer.effect(
  BoardStore,
  Effect.gen(function* () {
    const sqlite = yield* Sqlite
    const transaction = groupCommit(sqlite)
    let notify: (published: Published) => Effect.Effect<void> = () => Effect.void
    const known = new WeakMap<SqlConnection, BoardDb>()
    const of = (connection: SqlConnection): BoardDb => {
      const made = known.get(connection) ?? boardDb(connection)
      known.set(connection, made)
      return made
    }
    return BoardStore.of({
      mutate: (body) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.map(
            // Events go out in the order of the commits.
            transaction(
              (connection) => atOnce(body(of(connection), now)),
              (done) => notify(done)
            ),
            ({ value }) => value
          )
        ),
      read: (body) =>
        Effect.flatMap(
          sqlite.read((connection) => atOnce(body(of(connection)))),
          Effect.fromResult
        ),
      follow: (onPublished) =>
        Effect.sync(() => {
          notify = onPublished
        }),
      shared: undefined
    })
  })
)

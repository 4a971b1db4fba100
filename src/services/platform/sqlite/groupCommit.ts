import { Deferred, Effect, type Exit, Result, Semaphore } from "effect"
import type { SqlConnection, SqliteShape, StoreError } from "./Sqlite.ts"

/** A change that waits for the next commit. */
interface Change {
  /** Runs the body; false if what it wrote has to be undone. */
  readonly apply: (db: SqlConnection) => boolean
  /** Reports whether it's on disk. */
  readonly settle: (committed: Exit.Exit<void, StoreError>) => Effect.Effect<void>
}

/** As `SqliteShape.transaction`; then calls `committed` with the value, in the order of the bodies. */
type GroupedTransaction = <A, E>(
  body: (db: SqlConnection) => Result.Result<A, E>,
  committed: (value: A) => Effect.Effect<void>
) => Effect.Effect<A, E | StoreError>

/** Runs the bodies in their order; one that fails is undone and the others stay. */
const applyAll = (group: ReadonlyArray<Change>, db: SqlConnection): void => {
  for (const change of group) {
    db.run("SAVEPOINT change")
    if (!change.apply(db)) db.run("ROLLBACK TO change")
    db.run("RELEASE change")
  }
}

/**
 * Bodies that wait at the same moment share one commit, because syncing the disk takes longer than writing most of them.
 * Each is still atomic, and returns only when it's on disk. The first one yields once, so that requests that have already
 * arrived join its commit.
 */
export const groupCommit = ({ transaction }: Pick<SqliteShape, "transaction">): GroupedTransaction => {
  const order = Semaphore.makeUnsafe(1)
  let waiting: Array<Change> = []

  const commit = (group: ReadonlyArray<Change>): Effect.Effect<void> =>
    Effect.suspend(() => {
      let threw = false
      const together = transaction((db) => {
        threw = true
        applyAll(group, db)
        threw = false
        return Result.void
      })
      return Effect.flatMap(Effect.exit(together), (committed) =>
        threw && group.length > 1
          ? // One body's error must not fail the others. A database that can't be written isn't retried.
            Effect.forEach(group, (change) => commit([change]), { discard: true })
          : Effect.forEach(group, (change) => change.settle(committed), { discard: true })
      )
    })

  const commitWaiting = Effect.andThen(
    Effect.yieldNow,
    Effect.suspend(() => {
      const group = waiting
      waiting = []
      return commit(group)
    })
  )

  return <A, E>(body: (db: SqlConnection) => Result.Result<A, E>, committed: (value: A) => Effect.Effect<void>) =>
    Effect.suspend(() => {
      const answer = Deferred.makeUnsafe<A, E | StoreError>()
      let result: Result.Result<A, E> | undefined
      const finish = Effect.suspend(() => {
        if (result === undefined) return Effect.die(new Error("a change was committed that hadn't run"))
        if (Result.isFailure(result)) return Effect.fail(result.failure)
        return Effect.as(committed(result.success), result.success)
      })
      waiting.push({
        apply: (db) => {
          result = body(db)
          return Result.isSuccess(result)
        },
        settle: (exit) =>
          Effect.flatMap(Effect.exit(Effect.andThen(exit, finish)), (settled) => Deferred.done(answer, settled))
      })
      const isFirst = waiting.length === 1
      return Effect.andThen(isFirst ? order.withPermit(commitWaiting) : Effect.void, Deferred.await(answer))
    }).pipe(Effect.uninterruptible)
}

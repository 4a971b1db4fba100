import { Effect, Exit, Queue, Result, Scope } from "effect"
import type { SqliteShape } from "../../sqlite/Sqlite.ts"
import { forgetTranscripts, readSeed, saveChange } from "../usageStore.ts"
import type { TranscriptFolder } from "./TranscriptState.ts"
import { startTranscriptThread, type TranscriptThread } from "./TranscriptThread.ts"

/**
 * Scans folders into the store, one scan at a time. The thread lives from the first scan to the end of the scope, and
 * begins afresh from the store after a failure: what it had read and nobody stored is read again.
 */
export const makeTranscriptScans = Effect.gen(function* () {
  let running: { readonly scope: Scope.Closeable; readonly thread: TranscriptThread } | undefined

  const stop = Effect.suspend(() => {
    const scope = running?.scope
    running = undefined
    return scope === undefined ? Effect.void : Scope.close(scope, Exit.void)
  })
  yield* Effect.addFinalizer(() => stop)

  const start = Effect.gen(function* () {
    const scope = yield* Scope.make()
    const thread = yield* startTranscriptThread().pipe(Scope.provide(scope))
    running = { scope, thread }
    return thread
  }).pipe(Effect.uninterruptible)

  return Effect.fn("scanTranscripts")(
    function* (sqlite: SqliteShape, folders: ReadonlyArray<TranscriptFolder>) {
      const known = running?.thread
      const thread = known ?? (yield* start)
      yield* thread.ask(known === undefined ? { folders, seed: yield* sqlite.read(readSeed) } : { folders })
      for (;;) {
        const answer = yield* Queue.take(thread.answers)
        yield* sqlite.transaction((db) => {
          if (answer.type === "end") forgetTranscripts(db, answer.gone)
          else for (const change of answer.changes) saveChange(db, change)
          return Result.void
        })
        if (answer.type === "end") return
      }
    },
    Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : stop))
  )
})

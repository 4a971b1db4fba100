import { MessageChannel, Worker } from "node:worker_threads"
import { Clock, DateTime, Deferred, type Duration, Effect, Exit, FiberHandle, Schema, Scope } from "effect"
import { failureFields } from "../../../contract/schema/failure.ts"
import { makeSingleFlight } from "../singleFlight.ts"
import { StoreFailureReason } from "../sqlite/Sqlite.ts"
import type { EndThread, Operations, ThreadOutcome } from "./threadMessages.ts"

/** A thread stopped before answering, or its database failed; `message` is for the log. */
export class StoreThreadError extends Schema.TaggedError<StoreThreadError>()("StoreThreadError", {
  ...failureFields,
  /** Of a database that failed. */
  reason: Schema.optionalKey(StoreFailureReason),
  cause: Schema.Defect()
}) {}

/** Sends the thread a request. */
export type AskThread<Store extends Operations<Store>> = <Name extends keyof Store & string>(
  name: Name,
  ...args: Parameters<Store[Name]>
) => Effect.Effect<ReturnType<Store[Name]>, StoreThreadError>

export interface StoreThreadOptions<Store extends Operations<Store>> {
  /** Names the thread in messages and in the system's list of threads. */
  readonly name: string
  readonly script: URL
  /** The first request to a new thread; `now` is in ISO 8601. */
  readonly open: (ask: AskThread<Store>, now: string) => Effect.Effect<void, StoreThreadError>
  /** A thread without requests for this long ends, which frees some megabytes of memory. */
  readonly idleFor: Duration.Input
}

/** An operation that takes longer is cut off. */
const ENDS_WITHIN = "1 second"

/** Lets a thread finish its operation: terminating it inside SQLite can crash the process. */
const endThread = (worker: Worker, ended: Effect.Effect<unknown, unknown>): Effect.Effect<void> =>
  Effect.sync(() => {
    const end: EndThread = null
    worker.postMessage(end)
  }).pipe(
    Effect.andThen(Effect.exit(ended)),
    Effect.interruptible,
    Effect.timeoutOption(ENDS_WITHIN),
    Effect.andThen(Effect.promise(() => worker.terminate())),
    Effect.asVoid
  )

const startThread = Effect.fnUntraced(function* <Store extends Operations<Store>>(name: string, script: URL) {
  const lost = (cause: unknown) => new StoreThreadError({ message: `the ${name} thread stopped`, cause })
  const ended = yield* Deferred.make<never, StoreThreadError>()
  const worker = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const made = new Worker(script, { execArgv: [], name })
      made.on("error", (cause) => Deferred.doneUnsafe(ended, Exit.fail(lost(cause))))
      made.on("exit", (code) => Deferred.doneUnsafe(ended, Exit.fail(lost(`exit code ${code}`))))
      return made
    }),
    (made) => endThread(made, Deferred.await(ended))
  )

  const send = <A>(ask: ReadonlyArray<unknown>) =>
    Effect.callback<A, StoreThreadError>((resume) => {
      const { port1, port2 } = new MessageChannel()
      port1.once("message", (outcome: ThreadOutcome<A>) => {
        port1.close()
        if ("value" in outcome) resume(Effect.succeed(outcome.value))
        else resume(Effect.fail(new StoreThreadError(outcome.fault)))
      })
      worker.postMessage({ ask, port: port2 }, [port2])
      return Effect.sync(() => port1.close())
    })

  const ask: AskThread<Store> = (operation, ...args) =>
    Effect.raceFirst(send<ReturnType<Store[typeof operation]>>([operation, ...args]), Deferred.await(ended))
  return ask
})

/**
 * A thread with a database. It starts at the first request and ends with the scope or when it's idle; one that stopped or
 * whose database failed, except by a full disk, is replaced at the next request. Requests after the scope's end fail.
 */
export const makeStoreThread = Effect.fnUntraced(function* <Store extends Operations<Store>>({
  name,
  script,
  open,
  idleFor
}: StoreThreadOptions<Store>) {
  let running: { readonly scope: Scope.Closeable; readonly ask: AskThread<Store> } | undefined

  const stop = Effect.suspend(() => {
    const scope = running?.scope
    running = undefined
    return scope === undefined ? Effect.void : Scope.close(scope, Exit.void)
  }).pipe(Effect.uninterruptible)
  yield* Effect.addFinalizer(() => stop)

  const start = Effect.gen(function* () {
    const scope = yield* Scope.make()
    const now = DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))
    const ask = yield* startThread<Store>(name, script).pipe(Scope.provide(scope))
    yield* open(ask, now).pipe(Effect.onError(() => Scope.close(scope, Exit.void)))
    running = { scope, ask }
    return ask
  }).pipe(Effect.uninterruptible)
  const started = yield* makeSingleFlight(start)

  let pending = 0
  const idle = yield* FiberHandle.make()
  const onEnd = Effect.suspend(() => {
    pending--
    return pending > 0 ? Effect.void : FiberHandle.run(idle, Effect.delay(stop, idleFor))
  })

  const onBegin = Effect.suspend(() => {
    pending++
    return FiberHandle.clear(idle)
  })
  const currentAsk = Effect.suspend(() => (running === undefined ? started : Effect.succeed(running.ask)))

  // Callers live in other scopes, so the end of this one fails their requests instead of interrupting them.
  const closed = yield* Deferred.make<never, StoreThreadError>()
  yield* Effect.addFinalizer(() =>
    Deferred.fail(closed, new StoreThreadError({ message: `the ${name} thread's owner is gone`, cause: undefined }))
  )

  const ask: AskThread<Store> = (operation, ...args) =>
    Effect.raceFirst(
      Deferred.await(closed),
      Effect.acquireUseRelease(
        onBegin,
        () =>
          currentAsk.pipe(
            Effect.flatMap((askThread) => askThread(operation, ...args)),
            // Only for failures, because other callers may still wait when one is interrupted.
            Effect.tapError(({ reason }) => (reason === "disk_full" ? Effect.void : stop))
          ),
        () => onEnd
      )
    )
  return { ask, stop }
})

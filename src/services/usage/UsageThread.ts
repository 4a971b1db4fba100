import { MessageChannel, Worker } from "node:worker_threads"
import { Clock, DateTime, Deferred, Effect, Exit, FiberHandle, Schema, Scope } from "effect"
import { makeSharedFlight } from "../flight/makeSharedFlight.ts"
import type { UsageOutcome, UsageStore } from "./store/usageMessages.ts"

/** The usage thread stopped before it answered, or its database failed; `message` is for the log. */
export class UsageThreadError extends Schema.TaggedError<UsageThreadError>()("UsageThreadError", {
  message: Schema.String,
  cause: Schema.Defect()
}) {}

/** From the sources the thread is a file below this one; the build puts it beside the command line. */
const SCRIPT = new URL(
  import.meta.url.endsWith(".ts") ? "./store/usageThread.ts" : "../usageThread.js",
  import.meta.url
)

/** Asks the thread for one of the things it does. */
export type AskUsage = <Name extends keyof UsageStore>(
  name: Name,
  ...args: Parameters<UsageStore[Name]>
) => Effect.Effect<ReturnType<UsageStore[Name]>, UsageThreadError>

/** Questions come in bursts a minute apart; a thread that waits for the next one would hold 8 MB meanwhile. */
const IDLE_FOR = "2 seconds"

const lost = (cause: unknown) => new UsageThreadError({ message: "the usage thread stopped", cause })

const startThread = Effect.gen(function* () {
  const ended = yield* Deferred.make<never, UsageThreadError>()
  const worker = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const made = new Worker(SCRIPT, { execArgv: [], name: "usage" })
      made.on("error", (cause) => Deferred.doneUnsafe(ended, Exit.fail(lost(cause))))
      made.on("exit", (code) => Deferred.doneUnsafe(ended, Exit.fail(lost(`exit code ${code}`))))
      return made
    }),
    (made) => Effect.promise(() => made.terminate())
  )

  const send = <A>(ask: readonly [keyof UsageStore, ...ReadonlyArray<unknown>]) =>
    Effect.callback<A, UsageThreadError>((resume) => {
      const { port1, port2 } = new MessageChannel()
      port1.once("message", (outcome: UsageOutcome<A>) => {
        port1.close()
        if ("value" in outcome) resume(Effect.succeed(outcome.value))
        else resume(Effect.fail(new UsageThreadError({ message: outcome.fault.message, cause: outcome.fault.cause })))
      })
      worker.postMessage({ ask, port: port2 }, [port2])
      return Effect.sync(() => port1.close())
    })

  const ask: AskUsage = <Name extends keyof UsageStore>(name: Name, ...args: Parameters<UsageStore[Name]>) =>
    Effect.raceFirst(send<ReturnType<UsageStore[Name]>>([name, ...args]), Deferred.await(ended))
  return ask
})

/**
 * The thread that owns the usage database at `path`. It starts with a question and lives to the end of the
 * scope or until nobody asked for 2 s; one that stopped or whose database failed is replaced at the next question.
 */
export const makeUsageThread = Effect.fnUntraced(function* (path: string) {
  let running: { readonly scope: Scope.Closeable; readonly ask: AskUsage } | undefined

  const stop = Effect.suspend(() => {
    const scope = running?.scope
    running = undefined
    return scope === undefined ? Effect.void : Scope.close(scope, Exit.void)
  }).pipe(Effect.uninterruptible)
  yield* Effect.addFinalizer(() => stop)

  const start = Effect.gen(function* () {
    const scope = yield* Scope.make()
    const now = DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))
    const ask = yield* startThread.pipe(Scope.provide(scope))
    const aside = yield* ask("open", path, now).pipe(Effect.onError(() => Scope.close(scope, Exit.void)))
    if (aside !== undefined) {
      yield* Effect.logError(`the usage database was damaged: it now lies beside the fresh one as ${aside}`)
    }
    running = { scope, ask }
    return ask
  }).pipe(Effect.uninterruptible)
  const started = yield* makeSharedFlight(start)

  let asking = 0
  const rest = yield* FiberHandle.make()
  const answered = Effect.suspend(() => {
    asking--
    return asking > 0 ? Effect.void : FiberHandle.run(rest, Effect.delay(stop, IDLE_FOR))
  })

  const begin = Effect.suspend(() => {
    asking++
    return FiberHandle.clear(rest)
  })
  const currentAsk = Effect.suspend(() => (running === undefined ? started : Effect.succeed(running.ask)))

  const ask: AskUsage = <Name extends keyof UsageStore>(name: Name, ...args: Parameters<UsageStore[Name]>) =>
    Effect.acquireUseRelease(
      begin,
      () =>
        currentAsk.pipe(
          Effect.flatMap((askThread) => askThread(name, ...args)),
          // A failure, not somebody who leaves: others may still be waiting for their answers.
          Effect.tapError(() => stop)
        ),
      () => answered
    )
  return ask
})

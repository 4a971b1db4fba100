import { Effect, FiberHandle, Queue } from "effect"
import { ServerReady } from "../platform/ServerReady.ts"
import type { StoreThreadError } from "../platform/thread/storeThread.ts"
import type { AskSearch, OpenedIndex } from "./SearchThread.ts"
import { type AnewReason, anewText, pauseOf, WITHOUT_ROOM } from "./searchErrors.ts"
import type { Sources } from "./sources/makeSources.ts"

/** The first pass over all sources waits until the start's first requests are answered. */
const FIRST_PASS_AFTER = "1 second"
/**
 * Between two passes at everything. Nearly all that changes is events, and each connect brings a pass of its own; this one
 * is for what nobody events, such as a file that another program put there.
 */
const PASS_EVERY = "10 minutes"
const AGAIN_AFTER_FAILURE = "1 minute"
/** Checking the free space costs almost nothing. */
const AGAIN_WITHOUT_ROOM = "5 seconds"
/** One in so many passes includes cards and the log, because reading a large board takes a quarter of a second. */
const WHOLE_PASS_EVERY = 6

interface SearchThread {
  readonly ask: AskSearch
  readonly stop: Effect.Effect<void>
}

/** Keeps the index complete: reads changes of all sources, and rebuilds an index that's damaged or missing. */
export const makeIndexUpdater = Effect.fnUntraced(function* (
  { ask: askThread, stop }: SearchThread,
  sources: Pick<Sources, "read">
) {
  const serverReady = yield* ServerReady
  const working = yield* FiberHandle.make()
  const wanted = yield* Queue.sliding<void>(1)
  let isRemoved = false
  /** The progress of the first complete pass since the index was created; `undefined` afterwards. */
  let progress: number | undefined = 0
  let lastFailure: string | undefined
  let paused: string | undefined
  /** Why it's being rebuilt, unless a person requested it. */
  let anew: string | undefined
  let passes = 0
  /** How often the index was recreated. */
  let begun = 0

  const begin = (why?: AnewReason) => {
    progress = 0
    passes = 0
    paused = undefined
    anew = why === undefined ? undefined : anewText(why)
    begun += 1
  }

  const passSoon = Effect.asVoid(Queue.offer(wanted, undefined))

  const drop = Effect.fnUntraced(function* (why?: AnewReason) {
    begin(why)
    yield* askThread("drop")
    yield* stop
  })

  /** Deletes a damaged index and starts to rebuild it. */
  const heal = (error: StoreThreadError) =>
    error.reason === "damaged"
      ? Effect.logWarning("The search index is damaged and is being rebuilt").pipe(
          Effect.andThen(drop("damaged")),
          Effect.ignore,
          Effect.tap(passSoon)
        )
      : Effect.void

  const ask: AskSearch = (name, ...args) => askThread(name, ...args).pipe(Effect.tapError(heal))
  /** A file that can be read again can also be written again. */
  const resume = Effect.suspend(() =>
    paused === undefined || paused === WITHOUT_ROOM ? Effect.void : Effect.asVoid(passSoon)
  )
  /** Retries people's requests to a damaged index at the new one. */
  const answer: AskSearch = (name, ...args) =>
    ask(name, ...args).pipe(Effect.retry({ times: 1, while: ({ reason }) => reason === "damaged" }), Effect.tap(resume))

  /** Logs a repeated failure once. */
  const report = (error: { readonly message: string; readonly cause?: unknown }) =>
    Effect.suspend(() => {
      // Events may have been missed meanwhile.
      passes = 0
      paused = pauseOf(error)
      // After a failure between two passes, the next one notices free space.
      if (paused === WITHOUT_ROOM) Queue.offerUnsafe(wanted, undefined)
      if (lastFailure === error.message) return Effect.void
      lastFailure = error.message
      return Effect.logWarning(`Couldn't bring the search index up to date: ${error.message}`, error.cause)
    })

  const pass = Effect.gen(function* () {
    yield* Queue.clear(wanted)
    if (!(yield* ask("isThere"))) {
      begin("gone")
      yield* stop
    }
    const beginning = begun
    yield* ask("checkRoom")
    if (yield* ask("isComplete")) progress = undefined
    yield* sources.read(ask, {
      isWhole: passes % WHOLE_PASS_EVERY === 0,
      onProgress: (done) => {
        if (progress !== undefined) progress = done
      }
    })
    // An index that was recreated meanwhile is incomplete.
    if (beginning !== begun) return yield* passSoon
    passes += 1
    yield* ask("setComplete")
    progress = undefined
    lastFailure = undefined
    paused = undefined
    anew = undefined
    while (!(yield* ask("tidy")).isDone) yield* Effect.yieldNow
  }).pipe(Effect.catch(report))

  const pause = Effect.suspend(() => {
    if (paused === WITHOUT_ROOM) return Effect.sleep(AGAIN_WITHOUT_ROOM)
    return Effect.timeoutOption(Queue.take(wanted), lastFailure === undefined ? PASS_EVERY : AGAIN_AFTER_FAILURE)
  })
  const keep = Effect.forever(Effect.andThen(pass, pause))

  const start = FiberHandle.run(working, keep, { onlyIfMissing: true })
  yield* FiberHandle.run(working, Effect.andThen(Effect.delay(serverReady.wait, FIRST_PASS_AFTER), keep))

  const restart = Effect.asVoid(FiberHandle.run(working, keep))

  return {
    /** Starts to rebuild an index whose file was opened empty. */
    opened: ({ isComplete, replaced }: OpenedIndex) =>
      Effect.suspend(() => {
        if (isRemoved || isComplete || (progress !== undefined && replaced === undefined)) return Effect.void
        begin(replaced ?? "gone")
        return passSoon
      }),
    /** For background work. */
    ask,
    /** For people's requests. */
    answer,
    report,
    isRemoved: () => isRemoved,
    state: Effect.sync(() => ({
      ...(progress === undefined ? { state: "ready" as const } : { state: "building" as const, progress }),
      ...(anew === undefined ? {} : { anew }),
      ...(paused === undefined ? {} : { paused })
    })),
    /** Starts a pass over all sources. */
    passSoon,
    /** Rebuilds a deleted index. */
    wake: Effect.suspend(() => {
      if (!isRemoved) return Effect.void
      isRemoved = false
      return Effect.asVoid(start)
    }),
    rebuild: Effect.gen(function* () {
      yield* FiberHandle.clear(working)
      yield* drop()
      isRemoved = false
      yield* restart
    }).pipe(
      // The index still exists and is kept up to date.
      Effect.tapError(() => restart),
      Effect.uninterruptible
    ),
    remove: Effect.gen(function* () {
      isRemoved = true
      yield* FiberHandle.clear(working)
      yield* drop()
    }).pipe(
      Effect.tapError(() => {
        isRemoved = false
        return restart
      }),
      Effect.uninterruptible
    ),
    dropTools: Effect.andThen(ask("dropTools"), Queue.offer(wanted, undefined))
  }
})

export type IndexUpdater = Effect.Success<ReturnType<typeof makeIndexUpdater>>

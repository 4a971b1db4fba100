import { Effect, FiberHandle, Queue } from "effect"
import { Answering } from "../platform/startup/Answering.ts"
import type { StoreThreadError } from "../platform/thread/storeThread.ts"
import { type AnewReason, anewText, pauseOf, WITHOUT_ROOM } from "./indexPause.ts"
import type { AskSearch } from "./SearchThread.ts"
import type { Sources } from "./sources/makeSources.ts"
import type { OpenedIndex } from "./store/searchMessages.ts"

/** The first look at everything waits until after start-up, for what people are waiting for. */
const FIRST_LOOK_AFTER = "1 second"
/**
 * Between two looks at everything. Nearly all that changes is told, and each connect brings a look of its own; this one
 * is for what nobody told, such as a file that another program put there.
 */
const LOOK_EVERY = "10 minutes"
const AGAIN_AFTER_FAILURE = "1 minute"
/** Looking for room costs next to nothing. */
const AGAIN_WITHOUT_ROOM = "5 seconds"
/** Of so many looks, one is at cards and the log as well: reading a large board costs a quarter of a second each time. */
const WHOLE_LOOK_EVERY = 6

interface SearchThread {
  readonly ask: AskSearch
  readonly stop: Effect.Effect<void>
}

/** Keeps the index complete: looks at all sources, and begins anew with an index that's damaged, gone or deleted. */
export const makeIndexKeeper = Effect.fnUntraced(function* (
  { ask: askThread, stop }: SearchThread,
  sources: Pick<Sources, "read">
) {
  const answering = yield* Answering
  const working = yield* FiberHandle.make()
  const wanted = yield* Queue.sliding<void>(1)
  let isRemoved = false
  /** The first complete look, or the first since the index was begun anew. */
  let progress: number | undefined = 0
  let lastFailure: string | undefined
  let paused: string | undefined
  /** Why it was begun anew, unless a person wanted that. */
  let anew: string | undefined
  let looks = 0
  /** How often the index was begun anew. */
  let begun = 0

  const begin = (why?: AnewReason) => {
    progress = 0
    looks = 0
    paused = undefined
    anew = why === undefined ? undefined : anewText(why)
    begun += 1
  }

  const lookSoon = Effect.asVoid(Queue.offer(wanted, undefined))

  const drop = Effect.fnUntraced(function* (why?: AnewReason) {
    begin(why)
    yield* askThread("drop")
    yield* stop
  })

  /** A damaged index is deleted, and everything is read again. */
  const heal = (error: StoreThreadError) =>
    error.reason === "damaged"
      ? Effect.logWarning("The search index is damaged and is being rebuilt").pipe(
          Effect.andThen(drop("damaged")),
          Effect.ignore,
          Effect.tap(lookSoon)
        )
      : Effect.void

  const ask: AskSearch = (name, ...args) => askThread(name, ...args).pipe(Effect.tapError(heal))
  /** A file that can be read again, after it couldn't be, can be written again too. */
  const goOn = Effect.suspend(() =>
    paused === undefined || paused === WITHOUT_ROOM ? Effect.void : Effect.asVoid(lookSoon)
  )
  /** What people ask of a damaged index is answered by the new one. */
  const answer: AskSearch = (name, ...args) =>
    ask(name, ...args).pipe(Effect.retry({ times: 1, while: ({ reason }) => reason === "damaged" }), Effect.tap(goOn))

  /** What fails again and again is logged once. */
  const report = (error: { readonly message: string; readonly cause?: unknown }) =>
    Effect.suspend(() => {
      // What was told meanwhile may be missing.
      looks = 0
      paused = pauseOf(error)
      // Of what fails while nobody looks at everything, the next look tells when there's room again.
      if (paused === WITHOUT_ROOM) Queue.offerUnsafe(wanted, undefined)
      if (lastFailure === error.message) return Effect.void
      lastFailure = error.message
      return Effect.logWarning(`Couldn't bring the search index up to date: ${error.message}`, error.cause)
    })

  const look = Effect.gen(function* () {
    yield* Queue.clear(wanted)
    if (!(yield* ask("isThere"))) {
      begin("gone")
      yield* stop
    }
    const beginning = begun
    yield* ask("checkRoom")
    if (yield* ask("isComplete")) progress = undefined
    yield* sources.read(ask, {
      isWhole: looks % WHOLE_LOOK_EVERY === 0,
      onProgress: (done) => {
        if (progress !== undefined) progress = done
      }
    })
    // An index that was begun anew meanwhile has only the rest of what was read.
    if (beginning !== begun) return yield* lookSoon
    looks += 1
    yield* ask("setComplete")
    progress = undefined
    lastFailure = undefined
    paused = undefined
    anew = undefined
    while (!(yield* ask("tidy")).isDone) yield* Effect.yieldNow
  }).pipe(Effect.catch(report))

  const pause = Effect.suspend(() => {
    if (paused === WITHOUT_ROOM) return Effect.sleep(AGAIN_WITHOUT_ROOM)
    return Effect.timeoutOption(Queue.take(wanted), lastFailure === undefined ? LOOK_EVERY : AGAIN_AFTER_FAILURE)
  })
  const keep = Effect.forever(Effect.andThen(look, pause))

  const start = FiberHandle.run(working, keep, { onlyIfMissing: true })
  yield* FiberHandle.run(working, Effect.andThen(Effect.delay(answering.wait, FIRST_LOOK_AFTER), keep))

  const restart = Effect.asVoid(FiberHandle.run(working, keep))

  return {
    /** An index whose file was opened empty, after it was whole, is built at once. */
    opened: ({ isComplete, replaced }: OpenedIndex) =>
      Effect.suspend(() => {
        if (isRemoved || isComplete || (progress !== undefined && replaced === undefined)) return Effect.void
        begin(replaced ?? "gone")
        return lookSoon
      }),
    /** For background work. */
    ask,
    /** For what people ask. */
    answer,
    report,
    isRemoved: () => isRemoved,
    state: Effect.sync(() => ({
      ...(progress === undefined ? { state: "ready" as const } : { state: "building" as const, progress }),
      ...(anew === undefined ? {} : { anew }),
      ...(paused === undefined ? {} : { paused })
    })),
    /** Looks at everything soon. */
    lookSoon,
    /** Builds a deleted index again. */
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
      // The index that's still there is kept complete as before.
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

export type IndexKeeper = Effect.Success<ReturnType<typeof makeIndexKeeper>>

import { Context, Effect, Layer, RcMap, Semaphore } from "effect"

export interface PathLocksShape {
  /** Runs the effect while holding this path's lock; other paths aren't affected. */
  readonly withLock: (path: string) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** One lock per absolute path, so that a file doesn't change between reading and writing it. */
export class PathLocks extends Context.Service<PathLocks, PathLocksShape>()(
  "agent-console/services/platform/storage/PathLocks"
) {
  static readonly layer = Layer.effect(
    PathLocks,
    Effect.gen(function* () {
      const locks = yield* RcMap.make({ lookup: (_path: string) => Semaphore.make(1) })
      return PathLocks.of({
        withLock: (path) => (effect) =>
          RcMap.get(locks, path).pipe(
            Effect.flatMap((lock) => lock.withPermit(effect)),
            Effect.scoped
          )
      })
    })
  )
}

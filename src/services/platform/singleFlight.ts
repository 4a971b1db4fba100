import { Effect, Fiber, FiberHandle, Option } from "effect"

/**
 * Runs an effect at most once at a time: callers join a running one, and it keeps running if they leave. It ends with
 * the surrounding scope.
 */
export const makeSingleFlight = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.map(
    FiberHandle.make<A, E>(),
    (handle): Effect.Effect<A, E> =>
      Effect.suspend(() =>
        Option.match(FiberHandle.getUnsafe(handle), {
          onNone: () => FiberHandle.run(handle, effect),
          onSome: Effect.succeed
        })
      ).pipe(Effect.flatMap(Fiber.join))
  )

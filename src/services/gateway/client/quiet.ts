import { Deferred, Effect, Semaphore } from "effect"

/** Lets work in the background go on only while nobody waits for something else. */
export const makeQuiet = Effect.gen(function* () {
  const turn = yield* Semaphore.make(1)
  let count = 0
  let over = Deferred.makeUnsafe<void>()
  const untilQuiet: Effect.Effect<void> = Effect.suspend(() =>
    count === 0 ? Effect.void : Effect.andThen(Deferred.await(over), untilQuiet)
  )
  return {
    /** Makes work in the background wait for this. */
    during: <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.suspend(() => {
        if (count === 0) over = Deferred.makeUnsafe<void>()
        count += 1
        return Effect.ensuring(
          effect,
          Effect.sync(() => {
            count -= 1
            if (count === 0) Deferred.doneUnsafe(over, Effect.void)
          })
        )
      }),
    /** Work in the background, one after the other. */
    wait: <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      turn.withPermit(Effect.andThen(untilQuiet, effect))
  }
})

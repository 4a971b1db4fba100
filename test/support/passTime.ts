import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"

/** Advances the test's clock, alongside real sockets, until the fiber is done; returns its result. */
export const passTime = <A, E>(fiber: Fiber.Fiber<A, E>): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    while (fiber.pollUnsafe() === undefined) {
      yield* TestClock.adjust("1 second")
      yield* TestClock.withLive(Effect.sleep("1 millis"))
    }
    return yield* Fiber.join(fiber)
  })

import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"

/** Lets the test's clock run, beside the real sockets, until the fiber is done; answers what it came to. */
export const passTime = <A, E>(fiber: Fiber.Fiber<A, E>): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    while (fiber.pollUnsafe() === undefined) {
      yield* TestClock.adjust("1 second")
      yield* TestClock.withLive(Effect.sleep("1 millis"))
    }
    return yield* Fiber.join(fiber)
  })

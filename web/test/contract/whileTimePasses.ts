import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"

/** Waits for something of the page while the app's clock goes on. */
export const whileTimePasses = Effect.fnUntraced(function* <A>(ask: () => Promise<A>) {
  const fiber = yield* Effect.forkChild(Effect.promise(ask))
  while (fiber.pollUnsafe() === undefined) {
    yield* TestClock.adjust("1 second")
    yield* Effect.promise(() => new Promise(setImmediate))
  }
  return yield* Fiber.join(fiber)
})

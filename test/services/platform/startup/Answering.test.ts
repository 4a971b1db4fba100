import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import { Answering, AnsweringLive } from "../../../../src/services/platform/startup/Answering.ts"
import { startClient, withBus } from "../../../support/scriptedGateway.ts"

it.effect("the gateway is left alone until the first requests can be answered, and is called then", () =>
  withBus(
    Effect.gen(function* () {
      const { gateway } = yield* startClient
      const attempt = yield* Effect.forkScoped(gateway.nextAttempt, { startImmediately: true })
      yield* Effect.yieldNow
      yield* Effect.yieldNow
      assert.isTrue(Option.isNone(Option.fromUndefinedOr(attempt.pollUnsafe())))
      yield* (yield* Answering).open
      assert.strictEqual((yield* Fiber.join(attempt)).url, "ws://127.0.0.1:18789")
    })
  ).pipe(Effect.scoped, Effect.provide(AnsweringLive))
)

it.effect("nothing waits where nobody says when", () => Effect.flatMap(Answering, ({ wait }) => wait))

import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import { ServerReady, ServerReadyLive } from "../../../src/services/platform/ServerReady.ts"
import { startClient, withBus } from "../../support/scriptedGateway.ts"

it.effect("connects to the gateway once the first requests can be answered", () =>
  withBus(
    Effect.gen(function* () {
      const { gateway } = yield* startClient
      const attempt = yield* Effect.forkScoped(gateway.nextAttempt, { startImmediately: true })
      yield* Effect.yieldNow
      yield* Effect.yieldNow
      assert.isTrue(Option.isNone(Option.fromUndefinedOr(attempt.pollUnsafe())))
      yield* (yield* ServerReady).open
      assert.strictEqual((yield* Fiber.join(attempt)).url, "ws://127.0.0.1:18789")
    })
  ).pipe(Effect.scoped, Effect.provide(ServerReadyLive))
)

it.effect("doesn't wait without a layer", () => Effect.flatMap(ServerReady, ({ wait }) => wait))

import { assert, describe, it } from "@effect/vitest"
import { Effect, PubSub, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { FoundToken, makeFoundToken } from "../../../../src/services/gateway/client/FoundToken.ts"
import { Settings } from "../../../../src/services/platform/settings/Settings.ts"
import { letIn, makeClient, makeScriptedGateway, refuse, withBus } from "../../../support/scriptedGateway.ts"
import { testSettings } from "../../../support/testSettings.ts"

const MISMATCH = { code: "INVALID_REQUEST", message: "unauthorized", details: { code: "AUTH_TOKEN_MISMATCH" } }
const START = "the first token"

/** A client whose token was found in a file, simulated by `file.token`; `looks` counts the reads. */
const start = Effect.gen(function* () {
  const file = { token: START, looks: 0 }
  const settings = { gatewayToken: Redacted.make(START) }
  const source = yield* makeFoundToken(
    Effect.sync(() => {
      file.looks += 1
      return file.token === "" ? undefined : Redacted.make(file.token)
    })
  ).pipe(Effect.provideService(Settings, testSettings(settings)))
  const gateway = yield* makeScriptedGateway
  const made = yield* makeClient(gateway.openSocket, settings).pipe(Effect.provideService(FoundToken, source))
  return { file, gateway, source, ...made }
})

const tokenOf = ({ params }: Effect.Success<ReturnType<typeof letIn>>) => Object(params.auth).token

describe("a gateway that refuses the token that was found at the start", () => {
  it.effect("is retried at once with the token in the file now", () =>
    withBus(
      Effect.gen(function* () {
        const { file, gateway, statusEvents } = yield* start
        assert.strictEqual(tokenOf(yield* letIn(yield* gateway.nextAttempt)), START)
        yield* PubSub.take(statusEvents)
        assert.strictEqual(file.looks, 0)
      })
    )
  )

  it.effect("after a restart with another token, without a person's help", () =>
    withBus(
      Effect.gen(function* () {
        const { client, file, gateway, source } = yield* start
        file.token = "the second token"
        assert.strictEqual(tokenOf(yield* refuse(yield* gateway.nextAttempt, MISMATCH)), START)
        assert.strictEqual(tokenOf(yield* letIn(yield* gateway.nextAttempt)), "the second token")
        assert.strictEqual(Redacted.value(source.latest() ?? Redacted.make("")), "the second token")
        yield* TestClock.adjust(0)
        assert.isUndefined(yield* client.problem)
      })
    )
  )

  it.effect("isn't retried while the file is unchanged, and is checked again later", () =>
    withBus(
      Effect.gen(function* () {
        const { client, file, gateway } = yield* start
        for (const [there, looks] of [
          [START, 1],
          ["", 2]
        ] as const) {
          file.token = there
          yield* refuse(yield* gateway.nextAttempt, MISMATCH)
          yield* TestClock.adjust(0)
          assert.strictEqual((yield* client.problem)?.reason, "refused")
          assert.strictEqual(file.looks, looks)
          assert.strictEqual(yield* gateway.untaken, 0)
          yield* TestClock.adjust("60 seconds")
        }
        file.token = "the third token"
        yield* refuse(yield* gateway.nextAttempt, MISMATCH)
        assert.strictEqual(tokenOf(yield* letIn(yield* gateway.nextAttempt)), "the third token")
      })
    )
  )

  it.effect("gets what another connection has found, without another look", () =>
    withBus(
      Effect.gen(function* () {
        const { file, source } = yield* start
        file.token = "the second token"
        assert.isTrue(yield* source.readAgain(Redacted.make(START)))
        assert.isTrue(yield* source.readAgain(Redacted.make(START)))
        assert.strictEqual(file.looks, 1)
        assert.isFalse(yield* source.readAgain(Redacted.make("the second token")))
      })
    )
  )
})

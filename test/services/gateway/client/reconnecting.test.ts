import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, PubSub, Random, Schema } from "effect"
import { TestClock } from "effect/testing"
import {
  answer,
  helloOk,
  letIn,
  makeClient,
  makeScriptedGateway,
  refuse,
  startClient,
  startConnected,
  withBus
} from "../../../support/scriptedGateway.ts"

const Anything = Schema.Unknown
const Named = Schema.Struct({ name: Schema.String })

describe("reconnecting", () => {
  it.effect.each([
    { random: 0, delays: [1000, 2000, 4000, 8000, 16_000, 24_000, 24_000] },
    { random: 0.999_999, delays: [1250, 2500, 5000, 10_000, 20_000, 30_000, 30_000] }
  ])("waits 1 s, doubled up to 30 s, with up to a quarter more at random: %o", ({ random, delays }) =>
    withBus(
      Effect.gen(function* () {
        const { gateway, client, statusEvents } = yield* startClient
        gateway.refuse(...Array.from({ length: 8 }, () => ({ code: "ECONNREFUSED" })))
        // The first attempt is under way already and is lost before the handshake.
        const first = yield* gateway.nextAttempt
        first.close(1006)
        yield* PubSub.take(statusEvents)
        for (const delay of delays) {
          yield* TestClock.adjust(delay - 1)
          assert.strictEqual(yield* gateway.untaken, 0)
          yield* TestClock.adjust(1)
          yield* gateway.nextAttempt
        }
        assert.match((yield* client.status).reason ?? "", /^No gateway is listening at .*: start it/)
      }).pipe(Effect.provideService(Random.Random, { nextIntUnsafe: () => 0, nextDoubleUnsafe: () => random }))
    )
  )

  it.effect("starts at 1 s again after a link that lasted, and keeps `since` while it stays away", () =>
    withBus(
      Effect.gen(function* () {
        const { gateway, client, statusEvents, peer } = yield* startConnected
        yield* TestClock.adjust("20 seconds")
        peer.close(1012)
        const lost = yield* PubSub.take(statusEvents)
        assert.containSubset(lost.data, {
          gateway: "unreachable",
          reason: "The gateway is shutting down or restarting."
        })
        assert.strictEqual(yield* client.gatewayStartedAt, undefined)
        assert.strictEqual(yield* client.connection, undefined)
        const { since } = yield* client.status
        gateway.refuse({ code: "ECONNREFUSED" })
        yield* TestClock.adjust(1250)
        yield* gateway.nextAttempt
        yield* PubSub.take(statusEvents)
        assert.strictEqual((yield* client.status).since, since)
        yield* TestClock.adjust(2500)
        yield* letIn(yield* gateway.nextAttempt)
        assert.containSubset((yield* PubSub.take(statusEvents)).data, { gateway: "ok" })
      })
    )
  )

  it.effect("a gateway that is still starting is asked again after the time it names, and calls wait", () =>
    withBus(
      Effect.gen(function* () {
        const { gateway, client, statusEvents } = yield* startClient
        const call = yield* Effect.forkChild(client.request("health", {}, Named), { startImmediately: true })
        const starting = { code: "UNAVAILABLE", message: "gateway starting; retry shortly", retryAfterMs: 500 }
        yield* refuse(yield* gateway.nextAttempt, starting, 1013)
        assert.containSubset((yield* PubSub.take(statusEvents)).data, { reason: "The gateway is still starting." })
        yield* TestClock.adjust(499)
        assert.strictEqual(yield* gateway.untaken, 0)
        yield* TestClock.adjust(126)
        const peer = yield* gateway.nextAttempt
        yield* letIn(peer)
        yield* answer(peer, { name: "up" })
        assert.deepStrictEqual(yield* Fiber.join(call), { name: "up" })
      })
    )
  )

  it.effect("a silent link is dead after two ticks; pings and frames keep it alive", () =>
    withBus(
      Effect.gen(function* () {
        const { statusEvents, peer, client } = yield* startConnected
        yield* TestClock.adjust("59 seconds")
        peer.ping()
        yield* TestClock.adjust("59 seconds")
        peer.sayText("not a frame, yet a sign of life")
        yield* TestClock.adjust("59 seconds")
        assert.strictEqual((yield* client.status).gateway, "ok")
        yield* TestClock.adjust("1 second")
        assert.containSubset((yield* PubSub.take(statusEvents)).data, { reason: "The gateway has stopped responding." })
        yield* peer.left
      })
    )
  )

  it.effect("a host from which nothing comes back is given up after 10 s", () =>
    withBus(
      Effect.gen(function* () {
        const gateway = yield* makeScriptedGateway
        gateway.refuse("silence")
        const { statusEvents } = yield* makeClient(gateway.openSocket)
        yield* gateway.nextAttempt
        yield* TestClock.adjust("10 seconds")
        assert.match(
          JSON.stringify((yield* PubSub.take(statusEvents)).data),
          /Couldn't reach the gateway at \S+: check that it's running/
        )
      })
    )
  )

  it.effect("an unexpected error on one link is not the end of the client", () =>
    withBus(
      Effect.gen(function* () {
        const gateway = yield* makeScriptedGateway
        let first = true
        const { statusEvents } = yield* makeClient((url, listener) => {
          if (!first) return gateway.openSocket(url, listener)
          first = false
          return Effect.die("a bug")
        })
        assert.containSubset((yield* PubSub.take(statusEvents)).data, { gateway: "unreachable" })
        yield* TestClock.adjust(1250)
        yield* letIn(yield* gateway.nextAttempt)
        assert.containSubset((yield* PubSub.take(statusEvents)).data, { gateway: "ok" })
      })
    )
  )

  it.effect("a server that accepts and says nothing is given up after 10 s", () =>
    withBus(
      Effect.gen(function* () {
        const { gateway, statusEvents } = yield* startClient
        const peer = yield* gateway.nextAttempt
        yield* TestClock.adjust("10 seconds")
        assert.match(JSON.stringify((yield* PubSub.take(statusEvents)).data), /doesn't respond like a gateway/)
        yield* peer.left
      })
    )
  )
})

describe("refusals", () => {
  const unapproved = {
    code: "NOT_PAIRED",
    message: "pairing required: device is not approved yet",
    details: { code: "PAIRING_REQUIRED", reason: "not-paired", requestId: "0c4a-77" }
  }

  it.effect("an unapproved device falls back to the token alone and shows how to approve it", () =>
    withBus(
      Effect.gen(function* () {
        const { gateway, client, statusEvents } = yield* startClient
        yield* refuse(yield* gateway.nextAttempt, unapproved)
        const peer = yield* gateway.nextAttempt
        const connect = yield* letIn(peer, helloOk({ auth: { method: "token", scopes: [] } }))
        assert.strictEqual(connect.params.device, undefined)
        const status = (yield* PubSub.take(statusEvents)).data
        assert.match(JSON.stringify(status), /"gateway":"ok".*openclaw devices approve 0c4a-77/)
        assert.deepStrictEqual((yield* client.connection)?.scopes, [])

        const call = yield* Effect.forkChild(Effect.flip(client.request("sessions.list", {}, Anything)))
        const request = yield* peer.received
        const forbidden = {
          code: "FORBIDDEN",
          message: "missing scope: operator.read",
          details: { code: "MISSING_SCOPE" }
        }
        peer.say({ type: "res", id: request.id, ok: false, error: forbidden })
        const error = yield* Fiber.join(call)
        assert.strictEqual(error.reason, "not_approved")
        assert.include(error.message, "openclaw devices approve 0c4a-77")
      })
    )
  )

  it.effect("a gateway that refuses signature v3 gets v2, and then the token alone", () =>
    withBus(
      Effect.gen(function* () {
        const { gateway, statusEvents } = yield* startClient
        const invalid = {
          code: "INVALID_REQUEST",
          message: "device signature invalid",
          details: { code: "DEVICE_AUTH_SIGNATURE_INVALID" }
        }
        const v3 = yield* refuse(yield* gateway.nextAttempt, invalid)
        const v2 = yield* refuse(yield* gateway.nextAttempt, invalid)
        assert.isDefined(v2.params.device)
        assert.notDeepEqual(v2.params.device, v3.params.device)
        const bare = yield* letIn(yield* gateway.nextAttempt, helloOk({ auth: { scopes: [] } }))
        assert.isUndefined(bare.params.device)
        assert.match(JSON.stringify((yield* PubSub.take(statusEvents)).data), /device identity/)
      })
    )
  )

  it.effect("a wrong token is not tried again for a minute", () =>
    withBus(
      Effect.gen(function* () {
        const { gateway, client, statusEvents } = yield* startClient
        const mismatch = {
          code: "INVALID_REQUEST",
          message: "unauthorized: gateway token mismatch (provide gateway auth token)",
          details: { code: "AUTH_TOKEN_MISMATCH" }
        }
        yield* refuse(yield* gateway.nextAttempt, mismatch)
        assert.match(JSON.stringify((yield* PubSub.take(statusEvents)).data), /refused the token: set GATEWAY_TOKEN/)
        const error = yield* Effect.flip(client.request("health", {}, Anything))
        assert.strictEqual(error.reason, "refused")
        yield* TestClock.adjust("59 seconds")
        assert.strictEqual(yield* gateway.untaken, 0)
        yield* TestClock.adjust("1 second")
        yield* letIn(yield* gateway.nextAttempt)
        assert.containSubset((yield* PubSub.take(statusEvents)).data, { gateway: "ok" })
      })
    )
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Effect, PubSub, Random } from "effect"
import { TestClock } from "effect/testing"
import { LinkWake, LinkWakeLive } from "../../../../src/services/gateway/client/LinkWake.ts"
import { APPROVAL_POLL_MS } from "../../../../src/services/gateway/client/reconnectRules.ts"
import {
  challengePeer,
  helloOk,
  letIn,
  refuse,
  type ScriptedPeer,
  startClient,
  withBus
} from "../../../support/scriptedGateway.ts"

const unapproved = (requestId: string) => ({
  code: "NOT_PAIRED",
  message: "pairing required",
  details: { code: "PAIRING_REQUIRED", reason: "not-paired", requestId }
})

const expired = {
  code: "INVALID_REQUEST",
  message: "device signature expired",
  details: { code: "DEVICE_AUTH_SIGNATURE_EXPIRED" }
}

const bareHello = helloOk({ auth: { scopes: [] } })

/** Lets a connection in that is left again at once. */
const acceptProbe = Effect.fnUntraced(function* (peer: ScriptedPeer) {
  const connect = yield* challengePeer(peer)
  peer.say({ type: "res", id: connect.id, ok: true, payload: helloOk() })
  yield* peer.left
  return connect
})

/** A client on a link without scopes, whose device waits for its approval. */
const startWaiting = Effect.gen(function* () {
  const started = yield* startClient
  yield* refuse(yield* started.gateway.nextAttempt, unapproved("r-1"))
  const bare = yield* started.gateway.nextAttempt
  yield* letIn(bare, bareHello)
  const { data } = yield* PubSub.take(started.statusEvents)
  assert.containSubset(data, { gateway: "ok", approval: { requestId: "r-1" } })
  return { ...started, bare }
})

describe("a device that waits for its approval", () => {
  it.effect("is asked about on a connection of its own, which is no failure and changes nothing", () =>
    withBus(
      Effect.gen(function* () {
        const { bare, client, gateway } = yield* startWaiting
        for (let round = 0; round < 3; round++) {
          yield* TestClock.adjust(APPROVAL_POLL_MS - 1)
          assert.strictEqual(yield* gateway.untaken, 0)
          yield* TestClock.adjust(1)
          const connect = yield* refuse(yield* gateway.nextAttempt, unapproved("r-1"))
          assert.isDefined(connect.params.device)
        }
        yield* Effect.yieldNow
        bare.say({ type: "event", event: "tick" })
        assert.deepStrictEqual((yield* client.connection)?.scopes, [])
      })
    )
  )

  it.effect("gets its scopes within one round of the approval, with no other status in between", () =>
    withBus(
      Effect.gen(function* () {
        const { bare, client, gateway, statusEvents } = yield* startWaiting
        yield* TestClock.adjust(APPROVAL_POLL_MS)
        yield* acceptProbe(yield* gateway.nextAttempt)
        yield* bare.left
        yield* letIn(yield* gateway.nextAttempt)
        assert.hasAllKeys((yield* PubSub.take(statusEvents)).data, ["gateway", "since"])
        assert.strictEqual((yield* client.connection)?.scopes.length, 3)
      })
    )
  )

  it.effect("and whose request was replaced reports the new one", () =>
    withBus(
      Effect.gen(function* () {
        const { gateway, statusEvents } = yield* startWaiting
        yield* TestClock.adjust(APPROVAL_POLL_MS)
        yield* refuse(yield* gateway.nextAttempt, unapproved("r-2"))
        const { data } = yield* PubSub.take(statusEvents)
        assert.containSubset(data, { gateway: "ok", approval: { requestId: "r-2" } })
        assert.match(JSON.stringify(data), /openclaw devices approve r-2/)
      })
    )
  )

  it.effect("is still asked about when one connection fails", () =>
    withBus(
      Effect.gen(function* () {
        const { gateway } = yield* startWaiting
        gateway.refuse({ code: "ECONNRESET" })
        for (let round = 0; round < 2; round++) {
          yield* TestClock.adjust(APPROVAL_POLL_MS)
          yield* gateway.nextAttempt
        }
      })
    )
  )

  it.effect("and is then refused for another reason reports that reason", () =>
    withBus(
      Effect.gen(function* () {
        const { gateway, statusEvents } = yield* startWaiting
        yield* TestClock.adjust(APPROVAL_POLL_MS)
        yield* refuse(yield* gateway.nextAttempt, expired)
        yield* refuse(yield* gateway.nextAttempt, expired)
        yield* letIn(yield* gateway.nextAttempt, bareHello)
        const { data } = yield* PubSub.take(statusEvents)
        assert.match(JSON.stringify(data), /clocks differ/)
        assert.notProperty(data, "approval")
      })
    )
  )

  it.effect("is asked about at once when somebody else got through", () =>
    withBus(
      Effect.gen(function* () {
        const { gateway } = yield* startWaiting
        yield* (yield* LinkWake).wake
        yield* acceptProbe(yield* gateway.nextAttempt)
        yield* letIn(yield* gateway.nextAttempt)
      })
    ).pipe(Effect.provide(LinkWakeLive))
  )

  it.effect("loses its link when the gateway goes, and starts afresh", () =>
    withBus(
      Effect.gen(function* () {
        const { bare, gateway, statusEvents } = yield* startWaiting
        bare.close(1012)
        assert.containSubset((yield* PubSub.take(statusEvents)).data, { gateway: "unreachable" })
        yield* TestClock.adjust(1250)
        yield* letIn(yield* gateway.nextAttempt)
        assert.hasAllKeys((yield* PubSub.take(statusEvents)).data, ["gateway", "since"])
      })
    )
  )
})

it.effect("a device that is refused for its clock is tried again after 30 s, whole", () =>
  withBus(
    Effect.gen(function* () {
      const { gateway, statusEvents } = yield* startClient
      yield* refuse(yield* gateway.nextAttempt, expired)
      yield* letIn(yield* gateway.nextAttempt, bareHello)
      yield* PubSub.take(statusEvents)
      yield* TestClock.adjust("29 seconds")
      assert.strictEqual(yield* gateway.untaken, 0)
      yield* TestClock.adjust("1 second")
      assert.isDefined((yield* letIn(yield* gateway.nextAttempt)).params.device)
    })
  )
)

describe("a link that waits for its next attempt", () => {
  /** A client that failed six times and now waits 24 s. */
  const startFailing = Effect.gen(function* () {
    const started = yield* startClient
    const delays = [1000, 2000, 4000, 8000, 16_000]
    started.gateway.refuse(...[0, ...delays].map(() => ({ code: "ECONNREFUSED" })))
    yield* started.gateway.nextAttempt
    yield* PubSub.take(started.statusEvents)
    for (const delay of delays) {
      yield* TestClock.adjust(delay)
      yield* started.gateway.nextAttempt
    }
    yield* TestClock.adjust(1)
    return started
  })
  const unhurried = Effect.provideService(Random.Random, { nextIntUnsafe: () => 0, nextDoubleUnsafe: () => 0 })

  it.effect("tries at once when somebody else got through", () =>
    withBus(
      Effect.gen(function* () {
        const { client, gateway } = yield* startFailing
        yield* (yield* LinkWake).wake
        yield* letIn(yield* gateway.nextAttempt)
        assert.strictEqual((yield* client.status).gateway, "ok")
      })
    ).pipe(Effect.provide(LinkWakeLive), unhurried)
  )

  it.effect("tries once for any number of them, and waits as before when that fails", () =>
    withBus(
      Effect.gen(function* () {
        const { gateway } = yield* startFailing
        const { wake } = yield* LinkWake
        gateway.refuse({ code: "ECONNREFUSED" })
        for (let page = 0; page < 20; page++) yield* wake
        yield* gateway.nextAttempt
        yield* TestClock.adjust(1)
        yield* TestClock.adjust(23_998)
        assert.strictEqual(yield* gateway.untaken, 0)
        yield* TestClock.adjust(1)
        yield* gateway.nextAttempt
      })
    ).pipe(Effect.provide(LinkWakeLive), unhurried)
  )

  it.effect("counts those who got through during its vain attempt", () =>
    withBus(
      Effect.gen(function* () {
        const { gateway } = yield* startClient
        const { wake } = yield* LinkWake
        const first = yield* gateway.nextAttempt
        yield* wake
        first.close(1006)
        yield* letIn(yield* gateway.nextAttempt)
      })
    ).pipe(Effect.provide(LinkWakeLive))
  )

  it.effect("is not moved by those who got through while it was up", () =>
    withBus(
      Effect.gen(function* () {
        const { gateway, statusEvents } = yield* startClient
        const { wake } = yield* LinkWake
        yield* wake
        const peer = yield* gateway.nextAttempt
        yield* letIn(peer)
        yield* PubSub.take(statusEvents)
        yield* wake
        peer.close(1006)
        yield* PubSub.take(statusEvents)
        yield* TestClock.adjust("999 millis")
        assert.strictEqual(yield* gateway.untaken, 0)
      })
    ).pipe(Effect.provide(LinkWakeLive))
  )
})

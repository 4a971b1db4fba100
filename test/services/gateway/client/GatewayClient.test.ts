import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, PubSub, Schema, Scope } from "effect"
import { TestClock } from "effect/testing"
import { LINKED } from "../../../../src/services/gateway/client/GatewayClient.ts"
import {
  answer,
  challengePeer,
  helloOk,
  letIn,
  makeClient,
  makeScriptedGateway,
  startClient,
  startConnected,
  withBus
} from "../../../support/scriptedGateway.ts"

const Anything = Schema.Unknown
const Named = Schema.Struct({ name: Schema.String })

describe("connecting", () => {
  it.effect("signs in as gateway-client/ui with the device, subscribes, and publishes its state once", () =>
    withBus(
      Effect.gen(function* () {
        yield* TestClock.setTime(5_000)
        const { gateway, client, statusEvents } = yield* startClient
        assert.deepStrictEqual(yield* client.status, {
          gateway: "unreachable",
          since: 5_000,
          reason: "Connecting to the gateway.",
          why: { code: "CONNECTING" }
        })
        const peer = yield* gateway.nextAttempt
        assert.strictEqual(peer.url, "ws://127.0.0.1:18789")
        const connect = yield* challengePeer(peer)
        assert.strictEqual(connect.method, "connect")
        assert.strictEqual(connect.params.minProtocol, 3)
        assert.strictEqual(connect.params.maxProtocol, 4)
        assert.deepStrictEqual(connect.params.scopes, ["operator.admin", "operator.read", "operator.write"])
        assert.deepStrictEqual(connect.params.caps, ["tool-events", "approvals"])
        assert.deepStrictEqual(connect.params.auth, { token: "test-token" })
        assert.containSubset(connect.params, {
          client: { id: "gateway-client", mode: "ui" },
          role: "operator",
          device: { nonce: "nonce-1", signedAt: 1_700_000_000_000 }
        })
        peer.say({ type: "res", id: connect.id, ok: true, payload: helloOk() })
        assert.strictEqual((yield* peer.received).method, "sessions.subscribe")
        const event = yield* PubSub.take(statusEvents)
        assert.strictEqual(event.event, "status.changed")
        assert.deepStrictEqual(event.data, { gateway: "ok", since: 5_000 })
        assert.deepStrictEqual(yield* client.status, { gateway: "ok", since: 5_000 })
        assert.strictEqual(yield* client.gatewayStartedAt, 5_000 - 1_187)
        const connection = yield* client.connection
        assert.strictEqual(connection?.version, "2026.9.6")
        assert.isTrue(connection?.methods.has("chat.send"))
      })
    )
  )

  it.effect("an older gateway that names no scopes has granted those asked for", () =>
    withBus(
      Effect.gen(function* () {
        const { gateway, client, statusEvents } = yield* startClient
        const { auth: _, ...older } = helloOk({ protocol: 3 })
        yield* letIn(yield* gateway.nextAttempt, older)
        yield* PubSub.take(statusEvents)
        const connection = yield* client.connection
        assert.strictEqual(connection?.protocol, 3)
        assert.deepStrictEqual(connection?.scopes, ["operator.admin", "operator.read", "operator.write"])
      })
    )
  )

  it.effect("without a token it does not connect and says so", () =>
    withBus(
      Effect.gen(function* () {
        const gateway = yield* makeScriptedGateway
        const { client, statusEvents } = yield* makeClient(gateway.openSocket, { gatewayToken: undefined })
        yield* PubSub.take(statusEvents)
        assert.match((yield* client.status).reason ?? "", /set GATEWAY_TOKEN/)
        const error = yield* Effect.flip(client.request("health", {}, Anything))
        assert.strictEqual(error.reason, "refused")
        assert.strictEqual(yield* gateway.untaken, 0)
      })
    )
  )

  it.effect("closing the scope closes the socket and fails what waits", () =>
    withBus(
      Effect.gen(function* () {
        const gateway = yield* makeScriptedGateway
        const scope = yield* Scope.make()
        const { client } = yield* makeClient(gateway.openSocket).pipe(Scope.provide(scope))
        const peer = yield* gateway.nextAttempt
        yield* letIn(peer)
        const call = yield* Effect.forkChild(Effect.flip(client.request("health", {}, Anything)), {
          startImmediately: true
        })
        yield* peer.received
        yield* Scope.close(scope, Exit.void)
        yield* peer.left
        assert.strictEqual((yield* Fiber.join(call)).reason, "unreachable")
      })
    )
  )
})

describe("calls", () => {
  it.effect("answers may come out of order, twice, late or for nobody", () =>
    withBus(
      Effect.gen(function* () {
        const { client, peer } = yield* startConnected
        const first = yield* Effect.forkChild(client.request("a", {}, Named), { startImmediately: true })
        const second = yield* Effect.forkChild(client.request("b", {}, Named), { startImmediately: true })
        const a = yield* peer.received
        const b = yield* peer.received
        assert.deepStrictEqual([a.method, b.method], ["a", "b"])
        peer.say({ type: "res", id: "nobody", ok: true, payload: { name: "x" } })
        peer.say({ type: "res", id: b.id, ok: true, payload: { name: "for b" } })
        peer.say({ type: "res", id: b.id, ok: true, payload: { name: "again" } })
        peer.say({ type: "res", id: a.id, ok: true, payload: { name: "for a" } })
        assert.deepStrictEqual(yield* Fiber.join(first), { name: "for a" })
        assert.deepStrictEqual(yield* Fiber.join(second), { name: "for b" })
      })
    )
  )

  it.effect("time limits: ten seconds, or the caller's; the late answer harms nobody", () =>
    withBus(
      Effect.gen(function* () {
        const { client, peer } = yield* startConnected
        const slow = yield* Effect.forkChild(Effect.flip(client.request("a", {}, Named)), { startImmediately: true })
        const longer = yield* Effect.forkChild(client.request("b", {}, Named, { timeout: "1 minute" }), {
          startImmediately: true
        })
        const a = yield* peer.received
        const b = yield* peer.received
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual((yield* Fiber.join(slow)).reason, "timeout")
        peer.say({ type: "res", id: a.id, ok: true, payload: { name: "late" } })
        peer.say({ type: "res", id: b.id, ok: true, payload: { name: "in time" } })
        assert.deepStrictEqual(yield* Fiber.join(longer), { name: "in time" })
      })
    )
  )

  it.effect("waiting for a link that never opens is unreachable, not a time-out of the gateway", () =>
    withBus(
      Effect.gen(function* () {
        const { client } = yield* startClient
        const call = yield* Effect.forkChild(Effect.flip(client.request("a", {}, Named, { timeout: "2 seconds" })), {
          startImmediately: true
        })
        yield* TestClock.adjust("2 seconds")
        assert.strictEqual((yield* Fiber.join(call)).reason, "unreachable")
      })
    )
  )

  it.effect("a lost link fails what was sent, never sends it again, and later calls fail at once", () =>
    withBus(
      Effect.gen(function* () {
        const { client, gateway, peer, statusEvents } = yield* startConnected
        const call = yield* Effect.forkChild(Effect.flip(client.request("chat.send", {}, Anything)), {
          startImmediately: true
        })
        yield* peer.received
        peer.close(1006)
        const error = yield* Fiber.join(call)
        assert.strictEqual(error.reason, "unreachable")
        yield* PubSub.take(statusEvents)
        assert.strictEqual((yield* Effect.flip(client.request("health", {}, Anything))).reason, "unreachable")
        yield* TestClock.adjust(1250)
        const next = yield* gateway.nextAttempt
        yield* letIn(next)
        yield* PubSub.take(statusEvents)
        const again = yield* Effect.forkChild(client.request("health", {}, Named), { startImmediately: true })
        const request = yield* answer(next, { name: "healthy" })
        assert.strictEqual(request.method, "health")
        yield* Fiber.join(again)
      })
    )
  )

  it.effect("an interrupted call is forgotten", () =>
    withBus(
      Effect.gen(function* () {
        const { client, peer } = yield* startConnected
        const call = yield* Effect.forkChild(client.request("a", {}, Named), { startImmediately: true })
        const request = yield* peer.received
        yield* Fiber.interrupt(call)
        peer.say({ type: "res", id: request.id, ok: true, payload: { name: "late" } })
        const next = yield* Effect.forkChild(client.request("b", {}, Named), { startImmediately: true })
        yield* answer(peer, { name: "b" })
        assert.deepStrictEqual(yield* Fiber.join(next), { name: "b" })
      })
    )
  )

  it.effect("a payload of another shape fails as such, and the link stays", () =>
    withBus(
      Effect.gen(function* () {
        const { client, peer } = yield* startConnected
        const call = yield* Effect.forkChild(Effect.flip(client.request("a", {}, Named)), { startImmediately: true })
        yield* answer(peer, { name: 5 })
        assert.strictEqual((yield* Fiber.join(call)).reason, "shape")
        assert.strictEqual((yield* client.status).gateway, "ok")
      })
    )
  )
})

describe("a tap", () => {
  it.effect(
    "hears every event at once and in order, where a connection begins and ends, and what its numbers lack",
    () =>
      withBus(
        Effect.gen(function* () {
          const { client, gateway } = yield* startClient
          const heard: Array<string> = []
          const scope = yield* Scope.make()
          yield* client
            .tap({
              frame: ({ event, seq }) => heard.push(`${event} ${seq ?? ""}`.trim()),
              linked: () => heard.push("linked"),
              gap: () => heard.push("gap"),
              down: () => heard.push("down")
            })
            .pipe(Scope.provide(scope))
          const peer = yield* gateway.nextAttempt
          yield* letIn(peer)
          yield* Effect.yieldNow
          const say = (event: string, seq?: number) =>
            peer.say({ type: "event", event, payload: {}, ...(seq === undefined ? {} : { seq }) })
          say("a", 7)
          say("b", 8)
          say("c")
          say("d", 11)
          say("e", 12)
          assert.deepStrictEqual(heard.splice(0), ["linked", "a 7", "b 8", "c", "d 11", "gap", "e 12"])
          peer.close(1006)
          yield* peer.left
          assert.deepStrictEqual(heard.splice(0), ["down"])
          yield* TestClock.adjust("2 seconds")
          const again = yield* gateway.nextAttempt
          yield* letIn(again)
          yield* Effect.yieldNow
          again.say({ type: "event", event: "f", payload: {}, seq: 1 })
          assert.deepStrictEqual(heard.splice(0), ["linked", "f 1"])
          for (let count = 0; count < 5000; count += 1) again.say({ type: "event", event: "g", payload: {} })
          assert.lengthOf(heard, 5000)
          yield* Scope.close(scope, Exit.void)
          again.say({ type: "event", event: "h", payload: {} })
          assert.lengthOf(heard, 5000)
        })
      )
  )
})

describe("events", () => {
  it.effect("reach every reader; garbage does not", () =>
    withBus(
      Effect.gen(function* () {
        const { client, peer } = yield* startConnected
        const one = yield* client.events
        const two = yield* client.events
        for (const text of [
          "",
          "{",
          "null",
          "[]",
          '"x"',
          '{"type":"event"}',
          '{"type":"res","id":5}',
          '{"type":"?"}'
        ]) {
          peer.sayText(text)
        }
        peer.say({ type: "event", event: "chat", payload: { state: "delta" }, seq: 7 })
        for (const reader of [one, two]) {
          assert.strictEqual((yield* PubSub.take(reader)).event, LINKED)
          assert.deepStrictEqual(yield* PubSub.take(reader), { event: "chat", payload: { state: "delta" }, seq: 7 })
        }
      })
    )
  )

  it.effect("a reader that does not read loses the oldest events, not memory", () =>
    withBus(
      Effect.gen(function* () {
        const { client, peer } = yield* startConnected
        const reader = yield* client.events
        for (let n = 0; n < 5000; n++) {
          peer.say({ type: "event", event: "tick", payload: n })
          if (n % 100 === 0) yield* Effect.yieldNow
        }
        peer.say({ type: "event", event: "last", payload: 5000 })
        const kept: Array<unknown> = []
        for (;;) {
          const event = yield* PubSub.take(reader)
          kept.push(event.payload)
          if (event.event === "last") break
        }
        assert.isAtMost(kept.length, 2048)
        assert.strictEqual(kept.at(-2), 4999)
      })
    )
  )

  it.effect("that arrive all at once and are lost are reported", () =>
    withBus(
      Effect.gen(function* () {
        const { client, peer } = yield* startConnected
        const reader = yield* client.events
        while ((yield* PubSub.take(reader)).event !== LINKED);
        for (let n = 0; n < 3000; n++) peer.say({ type: "event", event: "tick", payload: n })
        let last: unknown
        for (;;) {
          const { event, payload } = yield* PubSub.take(reader)
          if (event === LINKED) break
          last = payload
        }
        assert.strictEqual(last, 2999)
      })
    )
  )
})

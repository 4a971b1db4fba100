import { Deferred, Effect, Layer, PubSub, Queue, Redacted, type Scope } from "effect"
import { makeGatewayClient } from "../../src/services/gateway/client/GatewayClient.ts"
import type { OpenFailure } from "../../src/services/gateway/client/gatewayFailures.ts"
import type { OpenSocket } from "../../src/services/gateway/client/gatewaySocket.ts"
import { DeviceIdentity } from "../../src/services/gateway/device/DeviceIdentity.ts"
import { deviceKeyFromSeed } from "../../src/services/gateway/device/deviceKey.ts"
import { EventBus } from "../../src/services/platform/events/EventBus.ts"
import { Settings } from "../../src/services/platform/settings/Settings.ts"
import { testSettings } from "./testSettings.ts"

/** A request frame the client sent. */
export interface SentRequest {
  readonly id: string
  readonly method: string
  readonly params: Record<string, unknown>
}

/** The gateway's end of a connection, played by the test. */
export interface ScriptedPeer {
  readonly url: string
  /** The next request of the client. */
  readonly received: Effect.Effect<SentRequest>
  readonly say: (frame: object) => void
  readonly sayText: (text: string) => void
  readonly ping: () => void
  /** Closes from the gateway's side. */
  readonly close: (code: number) => void
  /** Waits until the client has closed its side. */
  readonly left: Effect.Effect<void>
}

/** An in-memory gateway: each connection attempt waits for the test to take it. */
export const makeScriptedGateway = Effect.gen(function* () {
  const attempts = yield* Queue.unbounded<ScriptedPeer>()
  const refusals: Array<OpenFailure | "silence"> = []
  const openSocket: OpenSocket = Effect.fnUntraced(function* (url, listener) {
    const refusal = refusals.shift()
    const requests = yield* Queue.unbounded<SentRequest>()
    const left = yield* Deferred.make<void>()
    const peer: ScriptedPeer = {
      url,
      received: Queue.take(requests),
      say: (frame) => listener.onText(JSON.stringify(frame)),
      sayText: listener.onText,
      ping: listener.onPing,
      close: listener.onClose,
      left: Deferred.await(left)
    }
    yield* Queue.offer(attempts, peer)
    if (refusal === "silence") return yield* Effect.never
    if (refusal !== undefined) return yield* Effect.fail(refusal)
    yield* Effect.addFinalizer(() => Deferred.succeed(left, undefined))
    return { send: (text) => Queue.offerUnsafe(requests, JSON.parse(text)) }
  })
  return {
    openSocket,
    /** The client's next connection, including refused ones. */
    nextAttempt: Queue.take(attempts),
    /** How many attempts haven't been taken yet. */
    untaken: Queue.size(attempts),
    /** Makes the next attempts fail before a socket is open, one each; with `silence`, there's no response at all. */
    refuse: (...failures: ReadonlyArray<OpenFailure | "silence">) => {
      refusals.push(...failures)
    }
  }
})

/** `hello-ok` as both generations send it, shortened. */
export const helloOk = (overrides: Record<string, unknown> = {}) => ({
  type: "hello-ok",
  protocol: 4,
  server: { version: "2026.9.6", connId: "c" },
  features: { methods: ["sessions.list", "chat.send"], events: [] },
  snapshot: { uptimeMs: 1187 },
  auth: { method: "token", role: "operator", scopes: ["operator.admin", "operator.read", "operator.write"] },
  policy: { tickIntervalMs: 30_000 },
  ...overrides
})

/** Sends the challenge and returns the client's `connect`. */
export const challengePeer = Effect.fnUntraced(function* (peer: ScriptedPeer) {
  peer.say({ type: "event", event: "connect.challenge", payload: { nonce: "nonce-1", ts: 1_700_000_000_000 } })
  return yield* peer.received
})

/** Accepts the client; with scopes, it then subscribes to sessions, which is answered too. */
export const letIn = Effect.fnUntraced(function* (peer: ScriptedPeer, hello: object = helloOk()) {
  const connect = yield* challengePeer(peer)
  peer.say({ type: "res", id: connect.id, ok: true, payload: hello })
  if (connect.params.device === undefined) return connect
  const subscribe = yield* peer.received
  peer.say({ type: "res", id: subscribe.id, ok: true, payload: { subscribed: true } })
  return connect
})

/** Refuses the client's `connect` and closes, as a gateway does. */
export const refuse = Effect.fnUntraced(function* (peer: ScriptedPeer, error: object, closeCode = 1008) {
  const connect = yield* challengePeer(peer)
  peer.say({ type: "res", id: connect.id, ok: false, error })
  peer.close(closeCode)
  return connect
})

/** The identity of the tests: the key of 32 bytes of 01. */
export const TestIdentity = Layer.succeed(
  DeviceIdentity,
  DeviceIdentity.fromKey(deviceKeyFromSeed(new Uint8Array(32).fill(1)))
)

/** The client over a scripted gateway, with the live events of its bus. */
export const makeClient = Effect.fnUntraced(function* (
  openSocket: OpenSocket,
  settings: Parameters<typeof testSettings>[0] = {}
) {
  const bus = yield* EventBus
  const statusEvents = yield* bus.subscribe
  const client = yield* makeGatewayClient(openSocket).pipe(
    Effect.provideService(
      Settings,
      testSettings({ gatewayToken: Redacted.make("test-token"), gatewayUrl: "http://127.0.0.1:18789", ...settings })
    ),
    Effect.provide(TestIdentity)
  )
  return { client, statusEvents }
})

/** A client that has just started connecting. */
export const startClient = Effect.gen(function* () {
  const gateway = yield* makeScriptedGateway
  return { gateway, ...(yield* makeClient(gateway.openSocket)) }
})

/** A connected client whose status event has been read. */
export const startConnected = Effect.gen(function* () {
  const started = yield* startClient
  const peer = yield* started.gateway.nextAttempt
  yield* letIn(peer)
  yield* PubSub.take(started.statusEvents)
  return { ...started, peer }
})

/** Answers the client's next request and returns it. */
export const answer = (peer: ScriptedPeer, payload: unknown) =>
  Effect.map(peer.received, (request) => {
    peer.say({ type: "res", id: request.id, ok: true, payload })
    return request
  })

/** Gives a test the event bus its client publishes on. */
export const withBus = <A, E>(test: Effect.Effect<A, E, EventBus | Scope.Scope>) => Effect.provide(test, EventBus.layer)

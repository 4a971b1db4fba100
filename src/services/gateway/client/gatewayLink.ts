import { Clock, Deferred, Effect, Option, Redacted, Schema, type Scope } from "effect"
import type { GatewayNames } from "../../../contract/gatewayNames.ts"
import { packageInfo } from "../../platform/version/packageInfo.ts"
import type { ConnectParams } from "../device/connectSignature.ts"
import type { DeviceIdentityShape } from "../device/DeviceIdentity.ts"
import type { GatewayError } from "./GatewayError.ts"
import { linkEnded, noHandshake, openFailed, refusalOf } from "./gatewayFailures.ts"
import type { EventFrame, GatewayEvent } from "./gatewayFrames.ts"
import {
  Challenge,
  decodeErrorBody,
  decodeFrame,
  type ErrorBody,
  HelloOk,
  type ResponseFrame
} from "./gatewayFrames.ts"
import type { GatewaySocket, OpenSocket } from "./gatewaySocket.ts"
import type { AttemptFailure, Signing } from "./reconnectRules.ts"

/** Why a call has no payload: the gateway refused, or the connection ended first. */
export type CallFailure =
  | { readonly _tag: "Refused"; readonly error: ErrorBody }
  | { readonly _tag: "Lost"; readonly end: number | "silent" }

/** One connection's calls that are waiting for a response. */
interface PendingCalls {
  /** Sends a request and waits for its first response. Interrupting it drops the call. */
  readonly call: (method: string, params: object) => Effect.Effect<unknown, CallFailure>
  /** Delivers a response to its call; late, repeated and unknown ones are dropped. */
  readonly settle: (response: ResponseFrame) => void
  /** Fails all waiting and later calls. Only the first end counts. */
  readonly end: (end: number | "silent") => void
}

/** A new table of calls over `send`. Ids are unique within it. */
const makePendingCalls = (send: (text: string) => void): PendingCalls => {
  const waiting = new Map<string, Deferred.Deferred<unknown, CallFailure>>()
  let issued = 0
  let lost: CallFailure | undefined
  return {
    call: (method, params) =>
      Effect.suspend(() => {
        if (lost !== undefined) return Effect.fail(lost)
        issued += 1
        const id = String(issued)
        const answer = Deferred.makeUnsafe<unknown, CallFailure>()
        waiting.set(id, answer)
        send(JSON.stringify({ type: "req", id, method, params }))
        return Deferred.await(answer).pipe(Effect.ensuring(Effect.sync(() => waiting.delete(id))))
      }),
    settle: (response) => {
      const answer = waiting.get(response.id)
      if (answer === undefined) return
      waiting.delete(response.id)
      Deferred.doneUnsafe(
        answer,
        response.ok
          ? Effect.succeed(response.payload)
          : Effect.fail({ _tag: "Refused", error: decodeErrorBody(response.error) })
      )
    },
    end: (end) => {
      if (lost !== undefined) return
      lost = { _tag: "Lost", end }
      for (const answer of waiting.values()) Deferred.doneUnsafe(answer, Effect.fail(lost))
      waiting.clear()
    }
  }
}

/** What one attempt to connect needs. */
export interface LinkOptions {
  readonly openSocket: OpenSocket
  /** Origin of the gateway's HTTP endpoint; the WebSocket address is the same with `ws`. */
  readonly url: string
  /** How failures call its address and token. */
  readonly names: GatewayNames
  readonly token: Redacted.Redacted<string>
  readonly identity: DeviceIdentityShape
  readonly signing: Signing
  /** Called synchronously for each event after the handshake. */
  readonly onEvent: (event: GatewayEvent) => void
}

/** A connection that has completed its handshake. */
export interface GatewayLink {
  readonly hello: HelloOk
  /** Epoch milliseconds of the `hello-ok`. */
  readonly connectedAt: number
  readonly call: PendingCalls["call"]
  /** Waits until the connection ends, by a close code or two silent tick intervals. */
  readonly ended: Effect.Effect<number | "silent">
}

/** The scopes the console needs, all from the start: adding some later would need another approval. */
export const CONSOLE_SCOPES = ["operator.admin", "operator.read", "operator.write"]

const CONNECT_PARAMS: ConnectParams = {
  // Without a name: an older gateway would call every session after the client that wrote in it.
  client: { id: "gateway-client", mode: "ui", version: packageInfo.version },
  role: "operator",
  scopes: CONSOLE_SCOPES,
  // Newer gateways refuse actions that need approval unless a client announces that it can show the request.
  caps: ["tool-events", "approvals"]
}

/** From the first packet to `hello-ok`. */
const CONNECT_LIMIT = "10 seconds"
const DEFAULT_TICK_MS = 30_000
/** Shorter tick intervals from the gateway are ignored. */
const SHORTEST_TICK_MS = 1000
const DEAD_AFTER_TICKS = 2

const decodeChallenge = Schema.decodeUnknownOption(Challenge)
const decodeHello = Schema.decodeUnknownOption(HelloOk)

const eventOf = ({ event, payload, seq }: EventFrame): GatewayEvent =>
  typeof seq === "number" ? { event, payload, seq } : { event, payload }

const failed = (error: GatewayError): AttemptFailure => ({ _tag: "Failed", error })

/** Opens a socket and shakes hands (protocol generations 3 and 4). The connection stays open until the scope closes. */
export const openLink = Effect.fnUntraced(function* (
  options: LinkOptions
): Effect.fn.Return<GatewayLink, AttemptFailure, Scope.Scope> {
  const clock = yield* Clock.Clock
  const challenge = Deferred.makeUnsafe<typeof Challenge.Type, AttemptFailure>()
  const ended = Deferred.makeUnsafe<number | "silent">()
  let socket: GatewaySocket | undefined
  const calls = makePendingCalls((text) => socket?.send(text))
  let lastReceivedAt = clock.currentTimeMillisUnsafe()

  const end = (how: number | "silent") => {
    calls.end(how)
    Deferred.doneUnsafe(challenge, Effect.fail(failed(linkEnded(how))))
    Deferred.doneUnsafe(ended, Effect.succeed(how))
  }
  const onText = (text: string) => {
    lastReceivedAt = clock.currentTimeMillisUnsafe()
    const frame = decodeFrame(text)
    if (frame === undefined) return
    if (frame.type === "res") return calls.settle(frame)
    if (frame.event !== "connect.challenge") return options.onEvent(eventOf(frame))
    const asked = decodeChallenge(frame.payload)
    if (Option.isSome(asked)) Deferred.doneUnsafe(challenge, Effect.succeed(asked.value))
  }
  const onPing = () => {
    lastReceivedAt = clock.currentTimeMillisUnsafe()
  }
  yield* Effect.addFinalizer(() => Effect.sync(() => end(1000)))

  const handshake = Effect.gen(function* () {
    socket = yield* options
      .openSocket(options.url.replace(/^http/, "ws"), { onText, onPing, onClose: end })
      .pipe(Effect.mapError((failure) => failed(openFailed(options.url, failure, options.names))))
    const asked = yield* Deferred.await(challenge)
    const params = options.identity.completeConnect(CONNECT_PARAMS, {
      challenge: asked,
      token: Redacted.value(options.token),
      signature: options.signing
    })
    const payload = yield* calls
      .call("connect", params)
      .pipe(
        Effect.mapError(
          (failure): AttemptFailure =>
            failure._tag === "Lost"
              ? failed(linkEnded(failure.end))
              : { _tag: "Refused", refusal: refusalOf(failure.error, options.names) }
        )
      )
    return yield* Effect.fromOption(decodeHello(payload)).pipe(
      Effect.mapError(() => failed(noHandshake(options.url, options.names)))
    )
  })
  const hello = yield* handshake.pipe(
    Effect.timeoutOrElse({
      duration: CONNECT_LIMIT,
      orElse: () =>
        Effect.fail(
          failed(
            socket === undefined ? openFailed(options.url, {}, options.names) : noHandshake(options.url, options.names)
          )
        )
    })
  )

  const deadAfterMs = DEAD_AFTER_TICKS * Math.max(hello.policy?.tickIntervalMs ?? DEFAULT_TICK_MS, SHORTEST_TICK_MS)
  const watch = Effect.gen(function* () {
    for (;;) {
      const idleMs = clock.currentTimeMillisUnsafe() - lastReceivedAt
      if (idleMs >= deadAfterMs) return end("silent")
      yield* Effect.sleep(deadAfterMs - idleMs)
    }
  })
  yield* Effect.forkScoped(watch)
  return { hello, connectedAt: clock.currentTimeMillisUnsafe(), call: calls.call, ended: Deferred.await(ended) }
})

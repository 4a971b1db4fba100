import type { Socket } from "node:net"
import { Clock, Duration, Effect, Exit, Scope } from "effect"
import type { ConnectChallenge, ConnectRequest } from "../../../services/gateway/device/connectSignature.ts"
import type { DeviceIdentityShape } from "../../../services/gateway/device/DeviceIdentity.ts"
import type { ClientInput } from "./ClientInput.ts"
import { dialUpstream } from "./dialUpstream.ts"
import { CLOSE, decodeClose, encodeFrame, NOTHING, OPCODE } from "./frames/frames.ts"
import type { PeerFrame } from "./frames/MessageReader.ts"
import {
  afterClose,
  afterRefusal,
  type NextStep,
  type Proof,
  readConnectRequest,
  readGatewayFrame,
  type WithoutDevice
} from "./handshakeRules.ts"
import { PROXY_LIMITS } from "./proxyLimits.ts"
import { maskingKey, SessionEnd, writeAll } from "./sockets.ts"
import { UpstreamInput } from "./UpstreamInput.ts"

/** What the console adds to a handshake. */
export interface ProxyCredentials {
  /** The gateway's shared token. */
  readonly token: string
  readonly identity: DeviceIdentityShape
  readonly withoutDevice: WithoutDevice
  /** Another token, if there is one since the gateway refused this one. */
  readonly renewToken: (refused: string) => Effect.Effect<string | undefined>
  /** Runs when the gateway has accepted a session with the device. */
  readonly onAccepted: Effect.Effect<void>
}

/** An upstream connection that's ready to be relayed, and what each side gets first. */
export interface Link {
  readonly socket: Socket
  readonly toClient: Buffer
  readonly toUpstream: Buffer
}

/** The browser's side of the handshake, which spans all attempts. */
interface Handshake {
  readonly url: URL
  readonly client: Socket
  readonly input: ClientInput
  readonly credentials: ProxyCredentials
  /** How long to retry while the gateway is still starting, in epoch milliseconds. */
  readonly patientUntil: number
  /** Begins as that of the credentials. */
  token: string
  /** Whether the browser has received a challenge; later ones are for the proxy only. */
  challenged: boolean
}

type Retry = Extract<NextStep, { _tag: "retry" }>
type Outcome = Retry | { readonly _tag: "linked"; readonly link: Link }
type Event =
  | PeerFrame
  | { readonly _tag: "ended" | "overdue" | "left" }
  | { readonly _tag: "first"; readonly frame: PeerFrame }

const NO_CHALLENGE: ConnectChallenge = { nonce: "", ts: 0 }

const textOf = (frame: PeerFrame): string | undefined =>
  frame._tag === "message" && frame.opcode === OPCODE.text ? frame.payload.toString("utf8") : undefined

const rawOf = (frame: PeerFrame): Buffer => (frame._tag === "opaque" ? NOTHING : frame.raw)

/** The browser's `connect` as sent to the gateway: with token, signed device and pinned client. */
const completed = (
  request: ConnectRequest,
  handshake: Handshake,
  challenge: ConnectChallenge,
  signature: Proof
): Buffer => {
  const params = handshake.credentials.identity.completeConnect(request.params, {
    challenge,
    token: handshake.token,
    signature
  })
  return encodeFrame(OPCODE.text, Buffer.from(JSON.stringify({ ...request, params })), maskingKey())
}

/** One attempt with one proof, until the gateway accepts or refuses in a way that another attempt may fix. */
const attempt = Effect.fnUntraced(function* (handshake: Handshake, proof: Proof) {
  const { client, credentials, input } = handshake
  const { withoutDevice } = credentials
  const upstream = new UpstreamInput(yield* dialUpstream(handshake.url))
  input.upstreamOpened()
  const patient = (yield* Clock.currentTimeMillis) < handshake.patientUntil
  const link = (toClient: Buffer, toUpstream: Buffer): Outcome => ({
    _tag: "linked",
    link: { socket: upstream.socket, toClient: Buffer.concat([toClient, upstream.rest()]), toUpstream }
  })
  const follow = (step: NextStep, refusal: Buffer): Outcome =>
    step._tag === "retry" && patient && !input.hasLeft ? step : link(refusal, NOTHING)

  let first: PeerFrame | undefined
  let challenge: ConnectChallenge | undefined
  let overdue = false
  let sent: ConnectRequest | undefined
  let used = proof

  for (;;) {
    first ??= input.firstSoFar
    if (first !== undefined && sent === undefined) {
      const request = readConnectRequest(textOf(first) ?? "")
      if (request === undefined) return link(NOTHING, rawOf(first))
      input.handshakeBegan()
      if (!input.hasLeft && (challenge !== undefined || overdue)) {
        used = challenge === undefined ? "none" : proof
        yield* writeAll(upstream.socket, completed(request, handshake, challenge ?? NO_CHALLENGE, used))
        upstream.asked()
        sent = request
      }
    }
    // The gateway takes nothing else before it has answered `connect`.
    if (input.hasLeft) return link(NOTHING, input.sayGoodbye().frame)
    const waiting: Array<Effect.Effect<Event, SessionEnd>> = [upstream.next, Effect.as(input.left, { _tag: "left" })]
    if (first === undefined) waiting.push(Effect.map(input.first, (frame) => ({ _tag: "first", frame })))
    else if (sent === undefined) waiting.push(Effect.as(Effect.sleep(PROXY_LIMITS.challenge), { _tag: "overdue" }))
    const event = yield* Effect.raceAllFirst(waiting)
    switch (event._tag) {
      case "first":
        first = event.frame
        continue
      case "overdue":
        overdue = true
        continue
      case "left":
        continue
      case "ended":
        return yield* SessionEnd.with(CLOSE.lost)
      case "opaque":
        return link(NOTHING, NOTHING)
    }
    upstream.take()
    if (event._tag === "control") {
      if (event.opcode === OPCODE.close)
        return follow(afterClose(decodeClose(event.payload), used, withoutDevice), event.raw)
      if (event.opcode === OPCODE.ping) {
        yield* writeAll(upstream.socket, encodeFrame(OPCODE.pong, event.payload, maskingKey()))
      }
      continue
    }
    const frame = readGatewayFrame(textOf(event) ?? "")
    if (frame._tag === "challenge") {
      challenge = frame.challenge
      if (handshake.challenged) continue
      handshake.challenged = true
    } else if (sent !== undefined && frame._tag !== "other" && frame.id === sent.id) {
      if (frame._tag === "refused") {
        const step = afterRefusal(frame.refusal, used, withoutDevice)
        const token = step._tag === "denied" ? yield* credentials.renewToken(handshake.token) : undefined
        if (token === undefined) return follow(step, event.raw)
        handshake.token = token
        return follow({ _tag: "retry", proof: "v3", delayMs: 0 }, event.raw)
      }
      if (used !== "none") yield* credentials.onAccepted
      return link(event.raw, NOTHING)
    }
    yield* writeAll(client, event.raw)
  }
})

/**
 * Takes the browser's session through the gateway's handshake with the console's token and device. The browser sees one
 * challenge and one response, however many connections that takes. Anything that isn't a `connect` request is passed on
 * untouched, without credentials.
 */
export const signedLink = Effect.fnUntraced(function* (
  url: URL,
  client: Socket,
  input: ClientInput,
  credentials: ProxyCredentials
) {
  const session = yield* Effect.scope
  const patientUntil = (yield* Clock.currentTimeMillis) + Duration.toMillis(PROXY_LIMITS.starting)
  const handshake: Handshake = {
    url,
    client,
    input,
    credentials,
    patientUntil,
    token: credentials.token,
    challenged: false
  }
  let proof: Proof = "v3"
  for (;;) {
    const scope = yield* Scope.fork(session)
    const outcome: Outcome = yield* attempt(handshake, proof).pipe(
      Effect.timeoutOrElse({
        duration: PROXY_LIMITS.handshake,
        orElse: () => Effect.fail(SessionEnd.with(CLOSE.silent))
      }),
      Scope.provide(scope)
    )
    if (outcome._tag === "linked") return outcome.link
    yield* Scope.close(scope, Exit.void)
    if (outcome.proof === "none" && proof !== "none") {
      yield* Effect.logWarning(
        `The gateway refused the device ${credentials.identity.deviceId}: approve it on the gateway's machine. Until then, sessions have reduced rights`
      )
    }
    proof = outcome.proof
    yield* Effect.raceFirst(Effect.sleep(outcome.delayMs), input.left)
    if (input.hasLeft)
      return yield* new SessionEnd({ farewell: input.sayGoodbye().reply, patience: PROXY_LIMITS.closing })
  }
})

import type { Socket } from "node:net"
import { Clock, Duration, Effect, Exit, Scope } from "effect"
import type { ConnectRequest } from "../../services/device/connectParams.ts"
import type { ConnectChallenge } from "../../services/device/connectSignature.ts"
import type { DeviceIdentityShape } from "../../services/device/DeviceIdentity.ts"
import { CLOSE } from "../../services/proxy/closeStatus.ts"
import { decodeClose, encodeFrame, NOTHING, OPCODE } from "../../services/proxy/frames.ts"
import { readConnectRequest, readGatewayFrame } from "../../services/proxy/gatewayFrames.ts"
import { afterClose, afterRefusal, type NextStep, type Proof } from "../../services/proxy/handshakeRules.ts"
import type { PeerFrame } from "../../services/proxy/MessageReader.ts"
import { PROXY_LIMITS } from "../../services/proxy/proxyLimits.ts"
import type { ClientInput } from "./ClientInput.ts"
import { dialUpstream } from "./dialUpstream.ts"
import { SessionEnd } from "./SessionEnd.ts"
import { maskingKey, writeAll } from "./sockets.ts"
import { UpstreamInput } from "./UpstreamInput.ts"

/** What the console adds to a handshake. */
export interface ProxyCredentials {
  /** The gateway's shared token. */
  readonly token: string
  readonly identity: DeviceIdentityShape
}

/** An upstream connection that is ready to be relayed, and what each side has to get first. */
export interface Link {
  readonly socket: Socket
  readonly toClient: Buffer
  readonly toUpstream: Buffer
}

/** The browser's side of the handshake, which outlives every try. */
interface Handshake {
  readonly url: URL
  readonly client: Socket
  readonly input: ClientInput
  readonly credentials: ProxyCredentials
  /** Until when a gateway that is still starting is asked again, epoch milliseconds. */
  readonly patientUntil: number
  /** The browser has got a challenge; later ones are the proxy's alone. */
  challenged: boolean
}

type Retry = Extract<NextStep, { _tag: "retry" }>
type Outcome = Retry | { readonly _tag: "linked"; readonly link: Link }
type Event = PeerFrame | { readonly _tag: "ended" | "overdue" } | { readonly _tag: "first"; readonly frame: PeerFrame }

const NO_CHALLENGE: ConnectChallenge = { nonce: "", ts: 0 }

const textOf = (frame: PeerFrame): string | undefined =>
  frame._tag === "message" && frame.opcode === OPCODE.text ? frame.payload.toString("utf8") : undefined

const rawOf = (frame: PeerFrame): Buffer => (frame._tag === "opaque" ? NOTHING : frame.raw)

/** The browser's `connect` as the gateway gets it: token, signed device, pinned client. */
const completed = (
  request: ConnectRequest,
  handshake: Handshake,
  challenge: ConnectChallenge,
  signature: Proof
): Buffer => {
  const params = handshake.credentials.identity.completeConnect(request.params, {
    challenge,
    token: handshake.credentials.token,
    signature
  })
  return encodeFrame(OPCODE.text, Buffer.from(JSON.stringify({ ...request, params })), maskingKey())
}

/** One try with one proof: until the gateway has accepted, or refused in a way that another try may mend. */
const attempt = Effect.fnUntraced(function* (handshake: Handshake, proof: Proof) {
  const { client, input } = handshake
  const upstream = new UpstreamInput(yield* dialUpstream(handshake.url))
  input.upstreamOpened()
  const patient = (yield* Clock.currentTimeMillis) < handshake.patientUntil
  const link = (toClient: Buffer, toUpstream: Buffer): Outcome => ({
    _tag: "linked",
    link: { socket: upstream.socket, toClient: Buffer.concat([toClient, upstream.rest()]), toUpstream }
  })
  const follow = (step: NextStep, refusal: Buffer): Outcome =>
    step._tag === "retry" && patient ? step : link(refusal, NOTHING)

  let first: PeerFrame | undefined
  let challenge: ConnectChallenge | undefined
  let overdue = false
  let sent: ConnectRequest | undefined
  let used = proof

  for (;;) {
    if (first !== undefined && sent === undefined) {
      const request = readConnectRequest(textOf(first) ?? "")
      if (request === undefined) return link(NOTHING, rawOf(first))
      if (challenge !== undefined || overdue) {
        used = challenge === undefined ? "none" : proof
        yield* writeAll(upstream.socket, completed(request, handshake, challenge ?? NO_CHALLENGE, used))
        sent = request
      }
    }
    const waiting: Array<Effect.Effect<Event>> = [upstream.next]
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
      case "ended":
        return yield* SessionEnd.with(CLOSE.lost)
      case "opaque":
        return link(NOTHING, NOTHING)
    }
    upstream.take()
    if (event._tag === "control") {
      if (event.opcode === OPCODE.close) return follow(afterClose(decodeClose(event.payload), used), event.raw)
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
      if (frame._tag === "accepted") return link(event.raw, NOTHING)
      return follow(afterRefusal(frame.refusal, used), event.raw)
    }
    yield* writeAll(client, event.raw)
  }
})

/**
 * Gets the browser's session through the gateway's handshake with the console's token and device (D32). The browser
 * sees one challenge and one answer, whatever number of connections that takes. What is no `connect` request goes on
 * untouched, and without credentials.
 */
export const signedLink = Effect.fnUntraced(function* (
  url: URL,
  client: Socket,
  input: ClientInput,
  credentials: ProxyCredentials
) {
  const session = yield* Effect.scope
  const patientUntil = (yield* Clock.currentTimeMillis) + Duration.toMillis(PROXY_LIMITS.starting)
  const handshake: Handshake = { url, client, input, credentials, patientUntil, challenged: false }
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
        `the gateway refused the device ${credentials.identity.deviceId}: approve it on the gateway host; until then sessions have reduced rights`
      )
    }
    proof = outcome.proof
    yield* Effect.sleep(outcome.delayMs)
  }
})

import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Cause, Clock, Effect, FiberSet, Metric, Redacted } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { PRIMARY } from "../../../contract/qualifiedKey.ts"
import { takeOver } from "../../../node/takeOver.ts"
import { Auth, type Session } from "../../../services/access/auth/Auth.ts"
import { RequestTrust } from "../../../services/access/trust/RequestTrust.ts"
import { FoundToken, tokenInUse } from "../../../services/gateway/client/FoundToken.ts"
import { LinkWake } from "../../../services/gateway/client/LinkWake.ts"
import { DeviceIdentity } from "../../../services/gateway/device/DeviceIdentity.ts"
import { GatewayTargets } from "../../../services/gateway/registry/Gateways.ts"
import { Settings } from "../../../services/platform/settings/Settings.ts"
import { errorResponse } from "../../apiResponse.ts"
import { authenticationRequired } from "../../middleware/authentication.ts"
import { refusedResponse } from "../../middleware/originCheck.ts"
import { proxySessions } from "../../platform/metrics/metrics.ts"
import { needing } from "../../Right.ts"
import { marked, OWN_ACCESS } from "../../RouteMark.ts"
import { upgradeRequired } from "../../upgrade.ts"
import { switchingProtocols } from "./dialUpstream.ts"
import { CLOSE } from "./frames/frames.ts"
import { PROXY_LIMITS } from "./proxyLimits.ts"
import { proxySession } from "./proxySession.ts"
import type { Heartbeats, OnSignedOut } from "./relay.ts"
import { mayInject, resolveTarget } from "./targetPolicy.ts"

/** With `/api/live`, the only path that upgrades. */
const PATH = "/ws"

const relayOff = () => errorResponse(404, "not_found", "the relay to gateways is switched off (RELAY=off)")

/** Nothing waits for a session, so a bug in one is logged here; its connections are already closed. */
const withFailureLog = <A, E, R>(session: Effect.Effect<A, E, R>) =>
  Effect.catchCauseIf(
    session,
    (cause) => !Cause.hasInterruptsOnly(cause),
    (cause) => Effect.logError(`A relayed session failed: ${Cause.prettyErrors(cause)[0]?.message ?? "unknown error"}`)
  )

const withSessionGauge = <A, E, R>(session: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Metric.modify(proxySessions, 1),
    () => session,
    () => Metric.modify(proxySessions, -1)
  )

/**
 * The WebSocket proxy: `/ws?gateway=<id>&target=<ws or wss address>&device=required`; all parameters are optional.
 *
 * For browsers: after seeing the gateway's challenge, which is relayed, they send `connect` with their own client
 * values and without token or device. If the target is the gateway that is meant, the primary one unless named, and the request is trusted, the proxy
 * adds the token, device, signature, `client.platform` and `client.deviceFamily`; the reply is the gateway's own. If
 * the gateway refuses the device, the session uses the token alone, which gives it no rights; with `device=required`
 * the browser gets the refusal instead. After that, every frame passes unchanged, until the session is signed out in
 * whose name it was opened. With `RELAY=off` there is none.
 */
export const ProxyRoute = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const settings = yield* Settings
    const trust = yield* RequestTrust
    const auth = yield* Auth
    const identity = yield* DeviceIdentity
    const { wake } = yield* LinkWake
    const targetOf = yield* GatewayTargets
    // Not from the request: a session keeps nothing of the request that opened it.
    const runSession = yield* FiberSet.makeRuntime<never>()
    const heartbeats: Heartbeats = new Set()
    yield* Effect.sleep(PROXY_LIMITS.ping).pipe(
      Effect.andThen(
        Effect.sync(() => {
          for (const session of heartbeats) session.beat()
        })
      ),
      Effect.forever,
      Effect.forkScoped
    )
    const inUse = yield* tokenInUse
    const { readAgain } = yield* FoundToken
    const renewToken = (refused: string) =>
      Effect.map(readAgain(Redacted.make(refused)), (isNew) => {
        const token = isNew ? inUse() : undefined
        return token === undefined ? undefined : Redacted.value(token)
      })
    const primary = () => ({ url: settings.gatewayUrl, token: inUse(), wake, gone: undefined, renewToken })
    /** The gateway that is meant; `undefined` for one that isn't there, or more than one. */
    const gatewayOf = ([id = PRIMARY, ...more]: ReadonlyArray<string>) => {
      if (more.length > 0) return Effect.undefined
      return id === PRIMARY ? Effect.sync(primary) : Effect.orElseSucceed(targetOf(id), () => undefined)
    }

    /** Without sign-in, a connection has no session that could end. */
    const signedOutOf = (owner: Session | undefined): OnSignedOut =>
      owner === undefined ? () => () => undefined : (listener) => auth.onEnded(owner, listener)

    const relayed = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { headers } = request
      const refusal = trust.refuseUpgrade(headers)
      if (refusal !== undefined) return refusedResponse(refusal)
      const owner = auth.sessionOf(headers.cookie, yield* Clock.currentTimeMillis)
      if (auth.enabled && owner === undefined) return authenticationRequired()
      const incoming = NodeHttpServerRequest.toIncomingMessage(request)
      const { socket } = incoming
      const query = request.url.indexOf("?")
      const path = query < 0 ? request.url : request.url.slice(0, query)
      const response = NodeHttpServerRequest.toServerResponse(request)
      if (
        path !== PATH ||
        !(incoming instanceof IncomingMessage && response instanceof ServerResponse && socket instanceof Socket)
      ) {
        return upgradeRequired
      }
      const head = switchingProtocols(incoming)
      if (head === undefined) return upgradeRequired

      const wishes = new URLSearchParams(query < 0 ? "" : request.url.slice(query))
      const gateway = yield* gatewayOf(wishes.getAll("gateway"))
      const target =
        gateway === undefined
          ? undefined
          : resolveTarget(wishes.get("target") ?? undefined, {
              gatewayUrl: gateway.url,
              // Who names a gateway means no other place.
              allowedHosts: wishes.has("gateway") ? [] : settings.wsAllowedHosts
            })
      const withoutDevice = wishes.get("device") === "required" ? "refused" : "allowed"
      const peer = socket.remoteAddress
      const injected = mayInject({
        isGateway: target?.isGateway === true,
        hasToken: gateway?.token !== undefined,
        isTrusted: trust.isLocal({ peer, headers }) || owner !== undefined,
        isAllowedOrigin: trust.isAllowedOrigin(headers.origin)
      })
      const token = injected && gateway?.token !== undefined ? Redacted.value(gateway.token) : undefined
      // The server adds its own listeners to the connection by the end of this tick.
      yield* Effect.yieldNow
      const isGone = response.socket !== socket
      if (isGone) return HttpServerResponse.empty()
      takeOver(response, socket).write(head)
      const credentials =
        token === undefined
          ? undefined
          : ({
              token,
              identity,
              withoutDevice,
              onAccepted: gateway?.wake ?? Effect.void,
              renewToken: gateway !== undefined && "renewToken" in gateway ? gateway.renewToken : () => Effect.undefined
            } as const)
      const session = proxySession({
        client: socket,
        target: target?.url ?? (gateway === undefined ? CLOSE.unknownGateway : CLOSE.targetNotAllowed),
        credentials,
        heartbeats,
        onSignedOut: signedOutOf(owner)
      })
      const untilGone = gateway?.gone === undefined ? session : Effect.raceFirst(session, gateway.gone)
      runSession(withFailureLog(withSessionGauge(untilGone)))
      return HttpServerResponse.empty({ status: 101 })
    })

    const handle = settings.relay === "off" ? () => Effect.sync(relayOff) : relayed
    yield* router.add("GET", PATH, (request) => handle(request)).pipe(marked(OWN_ACCESS), needing("own"))
  })
)

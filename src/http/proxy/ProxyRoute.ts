import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Cause, Effect, FiberSet, Metric, Redacted } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Auth } from "../../services/auth/Auth.ts"
import { DeviceIdentity } from "../../services/device/DeviceIdentity.ts"
import { PROXY_LIMITS } from "../../services/proxy/proxyLimits.ts"
import { mayInject, resolveTarget } from "../../services/proxy/targetPolicy.ts"
import { Settings } from "../../services/settings/Settings.ts"
import { RequestTrust } from "../../services/trust/RequestTrust.ts"
import { proxySessions } from "../metrics/metrics.ts"
import { authenticationRequired } from "../middleware/authentication.ts"
import { refusedResponse } from "../middleware/originCheck.ts"
import { switchingProtocols } from "./acceptUpgrade.ts"
import { proxySession } from "./proxySession.ts"
import type { Heartbeats } from "./relay.ts"
import { takeOver } from "./takeOver.ts"

/** The one path that upgrades (D30). */
const PATH = "/ws"

const upgradeRequired = HttpServerResponse.jsonUnsafe(
  { error: "upgrade_required", details: "this address speaks WebSocket only" },
  { status: 426, headers: { upgrade: "websocket", connection: "upgrade", "sec-websocket-version": "13" } }
)

/** Nobody waits for a session, so a bug in one is told here; its connections are closed by then. */
const told = <A, E, R>(session: Effect.Effect<A, E, R>) =>
  Effect.catchCauseIf(
    session,
    (cause) => !Cause.hasInterruptsOnly(cause),
    (cause) => Effect.logError(`a relayed session failed: ${Cause.prettyErrors(cause)[0]?.message ?? "unknown error"}`)
  )

const counted = <A, E, R>(session: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Metric.modify(proxySessions, 1),
    () => session,
    () => Metric.modify(proxySessions, -1)
  )

/**
 * The WebSocket proxy: `/ws?target=<ws or wss address>` (SPEC "WebSocket proxy", D30–D33).
 *
 * What a browser may rely on: it sends `connect` with its own client values and neither token nor device, after it has
 * seen the gateway's challenge, which is relayed to it. Token, device, signature, `client.platform` and
 * `client.deviceFamily` are put in on the way when the target is the configured gateway and the request is trusted; the
 * answer it gets is the gateway's. From then on every frame passes unchanged.
 */
export const ProxyRoute = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const settings = yield* Settings
    const trust = yield* RequestTrust
    const auth = yield* Auth
    const identity = yield* DeviceIdentity
    // Not of the request: a session keeps nothing of what brought it.
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
    const policy = { gatewayUrl: settings.gatewayUrl, allowedHosts: settings.wsAllowedHosts }

    const handle = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { headers } = request
      const refusal = trust.refuseUpgrade(headers)
      if (refusal !== undefined) return refusedResponse(refusal)
      if (!(yield* auth.isAuthenticated(headers.cookie))) return authenticationRequired()
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

      const requested = query < 0 ? null : new URLSearchParams(request.url.slice(query)).get("target")
      const target = resolveTarget(requested ?? undefined, policy)
      const peer = socket.remoteAddress
      const injected = mayInject({
        isGateway: target?.isGateway === true,
        hasToken: settings.gatewayToken !== undefined,
        isTrusted: trust.isLocal({ peer, headers }) || (yield* auth.hasSession(headers.cookie)),
        isAllowedOrigin: trust.isAllowedOrigin(headers.origin)
      })
      const token = injected && settings.gatewayToken !== undefined ? Redacted.value(settings.gatewayToken) : undefined
      // The server has added its own listeners to the connection only when this turn is over.
      yield* Effect.yieldNow
      const isGone = response.socket !== socket
      if (isGone) return HttpServerResponse.empty()
      takeOver(response, socket).write(head)
      const credentials = token === undefined ? undefined : { token, identity }
      runSession(told(counted(proxySession({ client: socket, target: target?.url, credentials, heartbeats }))))
      return HttpServerResponse.empty({ status: 101 })
    })

    yield* router.add("GET", PATH, (request) => handle(request))
  })
)

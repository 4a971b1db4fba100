import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect, Metric, Redacted } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Auth } from "../../services/auth/Auth.ts"
import { DeviceIdentity } from "../../services/device/DeviceIdentity.ts"
import { mayInject, resolveTarget } from "../../services/proxy/targetPolicy.ts"
import { Settings } from "../../services/settings/Settings.ts"
import { RequestTrust } from "../../services/trust/RequestTrust.ts"
import { proxySessions } from "../metrics/metrics.ts"
import { authenticationRequired } from "../middleware/authentication.ts"
import { refusedResponse } from "../middleware/originCheck.ts"
import { switchingProtocols } from "./acceptUpgrade.ts"
import { proxySession } from "./proxySession.ts"
import { tame } from "./sockets.ts"

/** The one path that upgrades (D30). */
const PATH = "/ws"

const upgradeRequired = HttpServerResponse.jsonUnsafe(
  { error: "upgrade_required", details: "this address speaks WebSocket only" },
  { status: 426, headers: { upgrade: "websocket", connection: "upgrade", "sec-websocket-version": "13" } }
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
      if (path !== PATH || !(incoming instanceof IncomingMessage) || !(socket instanceof Socket)) return upgradeRequired
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
      tame(socket).write(head)
      yield* counted(proxySession(socket, target?.url, token === undefined ? undefined : { token, identity }))
      // The connection is destroyed by now, so the server has nothing to send this to.
      return HttpServerResponse.empty()
    })

    yield* router.add("GET", PATH, (request) => handle(request))
  })
)

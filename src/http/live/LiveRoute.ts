import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Clock, Effect, FiberSet } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { type WebSocket, WebSocketServer } from "ws"
import { takeOver } from "../../node/takeOver.ts"
import { Auth } from "../../services/access/auth/Auth.ts"
import { ClientRights } from "../../services/access/ClientRights.ts"
import { checkGatewayTokens } from "../../services/access/trust/gatewayTokens.ts"
import { RequestTrust } from "../../services/access/trust/RequestTrust.ts"
import { authenticationRequired } from "../middleware/authentication.ts"
import { refusedResponse } from "../middleware/originCheck.ts"
import { marked, OWN_ACCESS } from "../RouteMark.ts"
import { isWebSocketHandshake, upgradeRequired } from "../upgrade.ts"
import { LiveSockets } from "./LiveSockets.ts"
import { LIVE_LIMITS } from "./liveLimits.ts"
import { liveSession } from "./liveSession.ts"

const PATH = "/api/live"

const NOTHING = Buffer.alloc(0)

/** Frames of their own instead of one long one; more in a message are an attack. */
const MAX_FRAGMENTS = 256

/** Makes WebSockets of upgraded connections; deflating keeps nothing from one frame to the next, and little memory. */
const makeUpgrader = () =>
  new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: LIVE_LIMITS.frameBytes,
    maxFragments: MAX_FRAGMENTS,
    perMessageDeflate: {
      serverNoContextTakeover: true,
      clientNoContextTakeover: true,
      threshold: LIVE_LIMITS.deflateBytes,
      zlibDeflateOptions: { windowBits: 13, memLevel: 7 }
    }
  })

/**
 * The page's WebSocket, and that of any other client: the state of what it shows, kept up to date. Commands go by the
 * other routes.
 */
export const LiveRoute = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const trust = yield* RequestTrust
    const auth = yield* Auth
    const live = yield* LiveSockets
    const rightsOf = yield* ClientRights
    const checkTokens = yield* checkGatewayTokens
    // Not from the request: a session keeps nothing of the request that opened it.
    const runSession = yield* FiberSet.makeRuntime<never>()
    const upgrader = yield* Effect.cached(Effect.sync(makeUpgrader))

    const handle = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { headers } = request
      const refusal = trust.refuseUpgrade(headers)
      if (refusal !== undefined) return refusedResponse(refusal)
      const owner = auth.sessionOf(headers.cookie, yield* Clock.currentTimeMillis)
      if (auth.enabled && owner === undefined) return authenticationRequired()
      const incoming = NodeHttpServerRequest.toIncomingMessage(request)
      const response = NodeHttpServerRequest.toServerResponse(request)
      const { socket } = incoming
      const isOwn = request.url === PATH || request.url.startsWith(`${PATH}?`)
      if (
        !(isOwn && incoming instanceof IncomingMessage && response instanceof ServerResponse) ||
        !(socket instanceof Socket && isWebSocketHandshake(incoming))
      ) {
        return upgradeRequired
      }
      const origins = { peer: socket.remoteAddress, headers }
      const from = trust.countedAddress(origins)
      const isTrusted = owner !== undefined || trust.isLocal(origins)
      const server = yield* upgrader
      // The server adds its own listeners to the connection by the end of this tick.
      yield* Effect.yieldNow
      const isGone = response.socket !== socket
      if (isGone) return HttpServerResponse.empty()
      takeOver(response, socket)
      server.handleUpgrade(incoming, socket, NOTHING, (ws: WebSocket) => {
        runSession(
          liveSession(
            ws,
            {
              isTrusted,
              rights: rightsOf(owner),
              isSurplus: live.isFull(),
              checkTokens: (given) => checkTokens(from, given),
              onSignedOut: (listener) => (owner === undefined ? () => undefined : auth.onEnded(owner, listener))
            },
            live
          )
        )
      })
      return HttpServerResponse.empty({ status: 101 })
    })

    yield* router.add("GET", PATH, (request) => handle(request)).pipe(marked(OWN_ACCESS))
  })
)

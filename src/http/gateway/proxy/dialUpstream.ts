import { randomBytes } from "node:crypto"
import { type IncomingMessage, request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { Socket } from "node:net"
import { Effect } from "effect"
import { tame } from "../../../node/takeOver.ts"
import { acceptKey } from "./acceptUpgrade.ts"
import { CLOSE } from "./frames/closeStatus.ts"
import { PROXY_LIMITS } from "./proxyLimits.ts"
import { SessionEnd } from "./SessionEnd.ts"
import { release } from "./sockets.ts"

/**
 * Opens a WebSocket to the target, without Origin, forwarded headers, extensions or anything else from the browser's
 * request, and returns the bare connection. Fails if the target can't be reached, refuses or takes more than 10 s.
 */
const connect = (url: URL): Effect.Effect<Socket, SessionEnd> =>
  Effect.callback<Socket, SessionEnd>((resume) => {
    const key = randomBytes(16).toString("base64")
    const address = new URL(url)
    address.protocol = url.protocol === "wss:" ? "https:" : "http:"
    const request = (address.protocol === "https:" ? requestHttps : requestHttp)(address, {
      agent: false,
      headers: {
        Connection: "Upgrade",
        Upgrade: "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": key
      }
    })
    const fail = (end: SessionEnd) => {
      request.destroy()
      resume(Effect.fail(end))
    }
    request.on("error", () => fail(SessionEnd.with(CLOSE.unreachable)))
    request.on("response", () => fail(SessionEnd.with(CLOSE.refused)))
    request.on("upgrade", (response: IncomingMessage, socket, head) => {
      const accepted = response.headers["sec-websocket-accept"] === acceptKey(key)
      if (!accepted || !(socket instanceof Socket)) return fail(SessionEnd.with(CLOSE.refused))
      // What followed right after the response is read from the connection like everything else.
      if (head.length > 0) socket.unshift(head)
      resume(Effect.succeed(tame(socket)))
    })
    request.end()
    return Effect.sync(() => request.destroy())
  }).pipe(
    Effect.timeoutOrElse({
      duration: PROXY_LIMITS.dial,
      orElse: () => Effect.fail(SessionEnd.with(CLOSE.silent))
    })
  )

/** The connection of `connect`, owned by the scope. */
export const dialUpstream = (url: URL) => Effect.acquireRelease(connect(url), release, { interruptible: true })

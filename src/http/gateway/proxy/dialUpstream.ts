import { createHash, randomBytes } from "node:crypto"
import { type IncomingMessage, request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { Socket } from "node:net"
import { Effect } from "effect"
import { tame } from "../../../node/takeOver.ts"
import { isWebSocketHandshake } from "../../upgrade.ts"
import { CLOSE } from "./frames/frames.ts"
import { PROXY_LIMITS } from "./proxyLimits.ts"
import { release, SessionEnd } from "./sockets.ts"

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

/** The accept value for a handshake key (RFC 6455, section 4.2.2). */
const acceptKey = (key: string): string =>
  createHash("sha1")
    .update(key + GUID)
    .digest("base64")

/** The head of the 101 response, or `undefined` if the request isn't a valid WebSocket handshake. */
export const switchingProtocols = (request: IncomingMessage): string | undefined => {
  const key = request.headers["sec-websocket-key"]
  if (key === undefined || !isWebSocketHandshake(request)) return undefined
  return [
    "HTTP/1.1 101 Switching Protocols",
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Accept: ${acceptKey(key)}`,
    "\r\n"
  ].join("\r\n")
}

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

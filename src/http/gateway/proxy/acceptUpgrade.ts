import { createHash } from "node:crypto"
import type { IncomingMessage } from "node:http"

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
const KEY = /^[A-Za-z0-9+/]{22}==$/

/** The accept value for a handshake key (RFC 6455, section 4.2.2). */
export const acceptKey = (key: string): string =>
  createHash("sha1")
    .update(key + GUID)
    .digest("base64")

/** The head of the 101 response, or `undefined` if the request isn't a valid WebSocket handshake. */
export const switchingProtocols = (request: IncomingMessage): string | undefined => {
  const key = request.headers["sec-websocket-key"]
  if (
    request.method !== "GET" ||
    request.headers.upgrade?.toLowerCase() !== "websocket" ||
    request.headers["sec-websocket-version"] !== "13" ||
    key === undefined ||
    !KEY.test(key)
  ) {
    return undefined
  }
  return [
    "HTTP/1.1 101 Switching Protocols",
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Accept: ${acceptKey(key)}`,
    "\r\n"
  ].join("\r\n")
}

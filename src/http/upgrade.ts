import type { IncomingMessage } from "node:http"
import { HttpServerResponse } from "effect/http"

const KEY = /^[A-Za-z0-9+/]{22}==$/

/** Whether a request is a valid WebSocket handshake (RFC 6455, section 4.2.1). */
export const isWebSocketHandshake = ({ headers, method }: IncomingMessage): boolean =>
  method === "GET" &&
  headers.upgrade?.toLowerCase() === "websocket" &&
  headers["sec-websocket-version"] === "13" &&
  KEY.test(headers["sec-websocket-key"] ?? "")

/** The answer to any other request for a WebSocket's address. */
export const upgradeRequired = HttpServerResponse.jsonUnsafe(
  { error: "upgrade_required", details: "this address only accepts WebSocket connections" },
  { status: 426, headers: { upgrade: "websocket", connection: "upgrade", "sec-websocket-version": "13" } }
)

import type { CloseStatus } from "./frames.ts"

/**
 * The proxy's own close frames; all others are passed on unchanged. 1014 is the registered code for "bad gateway" and
 * is used if an upstream ended without a close frame (1006, which must not be sent). A close frame without a code
 * (1005) is passed on as such.
 */
export const CLOSE = {
  unknownGateway: { code: 1008, reason: "Unknown gateway" },
  targetNotAllowed: { code: 1008, reason: "Target not allowed" },
  signedOut: { code: 1008, reason: "Signed out" },
  tooManyPending: { code: 1008, reason: "Too many pending messages" },
  flooding: { code: 1008, reason: "Too many empty messages" },
  broken: { code: 1002, reason: "Invalid control frame" },
  tooLarge: { code: 1009, reason: "" },
  unreachable: { code: 1014, reason: "Couldn't reach the gateway" },
  refused: { code: 1014, reason: "The gateway refused the connection" },
  silent: { code: 1014, reason: "The gateway didn't answer in time" },
  floodingGateway: { code: 1014, reason: "The gateway sent more than it may" },
  brokenGateway: { code: 1014, reason: "The gateway broke the WebSocket protocol" },
  lost: { code: 1014, reason: "The connection to the gateway was lost" },
  clientGone: { code: 1001, reason: "The client disconnected" },
  stopping: { code: 1001, reason: "The console is stopping" }
} as const satisfies Record<string, CloseStatus>

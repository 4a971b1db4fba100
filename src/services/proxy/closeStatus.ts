import type { CloseStatus } from "./frames.ts"

/**
 * Close frames that are the proxy's own; all others travel unchanged (D33). 1014 is the registered code for "bad
 * gateway": it stands in where an upstream ended without a close frame (1006, which may not be sent). A close frame
 * without a code (1005) is passed on as such.
 */
export const CLOSE = {
  targetNotAllowed: { code: 1008, reason: "Target not allowed" },
  tooManyPending: { code: 1008, reason: "Too many pending messages" },
  tooLarge: { code: 1009, reason: "" },
  unreachable: { code: 1014, reason: "The gateway cannot be reached" },
  refused: { code: 1014, reason: "The gateway refused the connection" },
  silent: { code: 1014, reason: "The gateway did not answer in time" },
  lost: { code: 1014, reason: "The gateway connection was lost" },
  clientGone: { code: 1001, reason: "The client went away" },
  stopping: { code: 1001, reason: "The console is stopping" }
} as const satisfies Record<string, CloseStatus>

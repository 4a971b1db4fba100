/** Why the console shows a client nothing of a gateway. The other codes of the live connection are for programs only. */
export const LIVE_FAILURES = {
  NOT_TRUSTED: "Sign-in is off and this isn't the console's machine, so the gateway's token is needed."
} as const

/** Why the console closes a live connection, and why a channel is over or can't be had; no page shows them. */
export const LIVE_CODES = [
  "STOPPING",
  "BAD_FRAME",
  "SIGNED_OUT",
  "OTHER_VERSION",
  "NO_HELLO",
  "TOO_MANY_SOCKETS",
  "TOO_SLOW",
  "TOO_MANY_FRAMES",
  "TOO_MANY_CHANNELS",
  "UNKNOWN_GATEWAY",
  "GATEWAY_REMOVED",
  "NO_RIGHT"
] as const
export type LiveCode = (typeof LIVE_CODES)[number]

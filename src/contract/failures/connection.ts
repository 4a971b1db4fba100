/** Why a gateway can't be reached or refuses the console. */
export const CONNECTION_FAILURES = {
  CONNECTING: "Connecting to the gateway.",
  STARTING: "The gateway is still starting.",
  NOT_RESPONDING: "The gateway has stopped responding.",
  SHUTTING_DOWN: "The gateway is shutting down or restarting.",
  CONNECTION_LOST: "The connection to the gateway was lost.",
  NOTHING_LISTENING: "No gateway is listening at {address}: start it, or {advice}.",
  HOST_NOT_FOUND: "Couldn't find the host of {address}: check {setting} and the network.",
  TLS_FAILED: "Couldn't make a secure connection to {address}: check its certificate and {setting}.",
  UNREACHABLE: "Couldn't reach the gateway at {address}: check that it's running, {setting} and the network.",
  NOT_A_GATEWAY: "{address} answers, but it isn't a gateway (HTTP {status}): check {setting}.",
  REDIRECTED:
    "{address} answers with a redirect, which the console doesn't follow: set {setting} to the address it leads to.",
  NO_HANDSHAKE:
    "{address} accepts connections but doesn't respond like a gateway: check {setting}, or restart the gateway.",
  CALL_TIMED_OUT:
    "The gateway didn't answer {method} in time: try again, and check the gateway's log if it keeps happening.",
  NO_TOKEN: "No gateway token is configured: set GATEWAY_TOKEN and restart the console.",
  TOKEN_REFUSED: "The gateway refused the token: {advice}.",
  NOT_APPROVED:
    "The gateway hasn't approved this console's device: run `openclaw devices list` and `openclaw devices approve <requestId>` on the gateway host to approve it.",
  NOT_APPROVED_REQUEST: "The gateway hasn't approved this console's device: run {command} on the gateway host.",
  TOKENS_NOT_ACCEPTED: "The gateway doesn't accept tokens: set gateway.auth.mode to token in the gateway's settings.",
  PASSWORD_REQUIRED:
    "The gateway asks for a password, which this console can't send: set gateway.auth.mode to token in the gateway's settings.",
  PROTOCOL_MISMATCH: "The gateway and the console use different protocol versions: update the older one.",
  CONNECTION_REFUSED: "The gateway refused this console: see its log for the reason.",
  DEVICE_IDENTITY_REFUSED:
    "The gateway refused this console's device identity: remove the device there (find it with `openclaw devices list`) and approve it again.",
  GATEWAY_HAS_NO_TOKEN: "The gateway has no token: set gateway.auth.token in the gateway's settings.",
  TOO_MANY_ATTEMPTS:
    "The gateway blocked this console after too many failed attempts: wait five minutes, then try again.",
  DEVICE_TOKEN_MISMATCH:
    "The gateway no longer accepts this console's device: check {setting}, then remove the device there (find it with `openclaw devices list`) and approve it again.",
  DEVICE_REQUIRED: "The gateway only accepts approved devices: open the console through its own server.",
  CLOCKS_DIFFER:
    "The gateway refused this console's device because the clocks differ: set the clocks on both machines.",
  ORIGIN_NOT_ALLOWED:
    "The gateway doesn't allow this page's address: add it to gateway.controlUi.allowedOrigins in the gateway's settings.",
  UNAUTHORIZED: "The gateway refused this console: check its token and whether its device is approved.",
  MESSAGE_TOO_LARGE: "The gateway refused a message because it was too large.",
  DEVICE_REMOVED: "The gateway removed this console's device."
} as const

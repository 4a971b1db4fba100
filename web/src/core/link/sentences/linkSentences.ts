import { serverSaid } from "./serverSaid.ts"

/** About the server's link to the gateway. */
export const LINK_SENTENCES: ReadonlyArray<string> = [
  serverSaid("Connecting to the gateway."),
  serverSaid("The gateway is still starting."),
  serverSaid("The gateway has stopped responding."),
  serverSaid("The gateway is shutting down or restarting."),
  serverSaid("The connection to the gateway was lost."),
  serverSaid("No gateway is listening at {address}: start it, or {advice}."),
  serverSaid("Couldn't find the host of {address}: check {setting} and the network."),
  serverSaid("Couldn't make a secure connection to {address}: check its certificate and {setting}."),
  serverSaid("Couldn't reach the gateway at {address}: check that it's running, {setting} and the network."),
  serverSaid("{address} answers, but it isn't a gateway (HTTP {status}): check {setting}."),
  serverSaid(
    "{address} answers with a redirect, which the console doesn't follow: set {setting} to the address it leads to."
  ),
  serverSaid(
    "{address} accepts connections but doesn't respond like a gateway: check {setting}, or restart the gateway."
  ),
  serverSaid(
    "The gateway didn't answer {method} in time: try again, and check the gateway's log if it keeps happening."
  ),
  serverSaid("No gateway token is configured: set GATEWAY_TOKEN and restart the console."),
  serverSaid("The gateway refused the token: {advice}."),
  serverSaid(
    "The gateway hasn't approved this console's device: run `openclaw devices list` and `openclaw devices approve <requestId>` on the gateway host to approve it."
  ),
  serverSaid("The gateway hasn't approved this console's device: run {command} on the gateway host."),
  serverSaid("The gateway doesn't accept tokens: set gateway.auth.mode to token in the gateway's settings."),
  serverSaid(
    "The gateway asks for a password, which this console can't send: set gateway.auth.mode to token in the gateway's settings."
  ),
  serverSaid("The gateway and the console use different protocol versions: update the older one."),
  serverSaid("The gateway refused this console: see its log for the reason."),
  serverSaid(
    "The gateway refused this console's device identity: remove the device there (find it with `openclaw devices list`) and approve it again."
  ),
  serverSaid("The gateway has no token: set gateway.auth.token in the gateway's settings."),
  serverSaid("The gateway blocked this console after too many failed attempts: wait five minutes, then try again."),
  serverSaid(
    "The gateway no longer accepts this console's device: check {setting}, then remove the device there (find it with `openclaw devices list`) and approve it again."
  ),
  serverSaid("The gateway only accepts approved devices: open the console through its own server."),
  serverSaid("The gateway refused this console's device because the clocks differ: set the clocks on both machines."),
  serverSaid(
    "The gateway doesn't allow this page's address: add it to gateway.controlUi.allowedOrigins in the gateway's settings."
  ),
  serverSaid("The gateway refused this console: check its token and whether its device is approved."),
  serverSaid("The gateway refused a message because it was too large."),
  serverSaid("The gateway removed this console's device.")
]

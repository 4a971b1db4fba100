/** What `AGENT_NAME` is if it isn't set. */
export const DEFAULT_AGENT_NAME = "Agent"

/** What the gateway of the settings file is called if `AGENT_NAME` doesn't say. */
export const DEFAULT_GATEWAY_NAME = "Main gateway"

/** What people change when a gateway's address or token is wrong, in the words of a sentence. */
export interface GatewayNames {
  /** Follows "check". */
  readonly address: string
  /** Follows "start it, or". */
  readonly setAddress: string
  /** Follows "check". */
  readonly token: string
  /** Follows "The gateway refused the token:". */
  readonly setToken: string
}

/** The gateway of the settings file. */
export const PRIMARY_NAMES: GatewayNames = {
  address: "GATEWAY_URL",
  setAddress: "set GATEWAY_URL to its address",
  token: "GATEWAY_TOKEN",
  setToken: "set GATEWAY_TOKEN to the gateway's token and restart the console"
}

/** One that was added to the console. */
export const ADDED_NAMES: GatewayNames = {
  address: "its address in the console's settings",
  setAddress: "correct its address in the console's settings",
  token: "its token in the console's settings",
  setToken: "give the console that gateway's token"
}

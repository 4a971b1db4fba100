/** What `AGENT_NAME` is if it isn't set. */
export const DEFAULT_AGENT_NAME = "Agent"

/** What the gateway of the settings file is called if `AGENT_NAME` doesn't say. */
export const DEFAULT_GATEWAY_NAME = "Main gateway"

/** What people change when a gateway's address or token is wrong, as codes of `FAILURE_WORDS`. */
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
  setAddress: "SET_GATEWAY_URL",
  token: "GATEWAY_TOKEN",
  setToken: "SET_TOKEN"
}

/** One that was added to the console. */
export const ADDED_NAMES: GatewayNames = {
  address: "ADDED_ADDRESS",
  setAddress: "CORRECT_ADDRESS",
  token: "ADDED_TOKEN",
  setToken: "GIVE_TOKEN"
}

import type { GatewayConnection, GatewayStatus } from "../gateway/GatewayClient.ts"
import { type Finding, ok, problem, warning } from "./doctorCheck.ts"

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Whether the gateway can be reached. */
export const gatewayFinding = (
  url: string,
  status: GatewayStatus,
  connection: GatewayConnection | undefined
): Finding => {
  if (status.gateway === "ok") {
    return ok(`${url} answers${connection?.version === undefined ? "" : `, version ${connection.version}`}.`)
  }
  // What the client says of its failures has its own way out in it.
  return status.reason === undefined
    ? problem(`${url} is not connected.`, "Start the gateway, or set GATEWAY_URL to where it runs.")
    : { state: "problem", detail: sentence(status.reason) }
}

/** Whether there is a token to sign in at the gateway with; whether it is right shows in the connection. */
export const tokenFinding = (hasToken: boolean): Finding =>
  hasToken
    ? ok("There is a token for the gateway.")
    : problem(
        "There is no token for the gateway.",
        "Set GATEWAY_TOKEN to the value of gateway.auth.token in the gateway's openclaw.json, or run `agent-console setup`."
      )

/** Whether the gateway has approved the console's device. */
export const deviceFinding = (status: GatewayStatus, connection: GatewayConnection | undefined): Finding => {
  if (connection === undefined) {
    return warning("Not known: the gateway is not connected.", "Get the gateway connected first.")
  }
  if (connection.scopes.length > 0 && status.reason === undefined) {
    return ok(`The gateway has approved this console (${connection.scopes.join(", ")}).`)
  }
  return problem(
    sentence(status.reason ?? "The gateway has not approved this console's device"),
    "On the gateway's machine run `openclaw devices list`, then `openclaw devices approve <request id>`."
  )
}

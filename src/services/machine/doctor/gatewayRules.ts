import type { GatewayStatus } from "../../../contract/answers/GatewayAnswers.ts"
import type { GatewayConnection } from "../../gateway/client/GatewayClientShape.ts"
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
  // The client's own failure messages already say what to do.
  return status.reason === undefined
    ? problem(`Not connected to ${url}.`, "Start the gateway, or set GATEWAY_URL to where it runs.")
    : { state: "problem", detail: sentence(status.reason) }
}

/** Whether there's a gateway token. Whether it's the right one shows in the connection. */
export const tokenFinding = (hasToken: boolean): Finding =>
  hasToken
    ? ok("A gateway token is set.")
    : problem(
        "No gateway token is set.",
        "Set GATEWAY_TOKEN to the value of gateway.auth.token in the gateway's openclaw.json, or run `agent-console setup`."
      )

/** Whether the gateway has approved the console's device. */
export const deviceFinding = (status: GatewayStatus, connection: GatewayConnection | undefined): Finding => {
  if (connection === undefined) {
    return warning("Unknown: the gateway isn't connected.", "Connect the gateway first.")
  }
  if (connection.scopes.length > 0 && status.reason === undefined) {
    return ok(`The gateway has approved this console (${connection.scopes.join(", ")}).`)
  }
  return problem(
    sentence(status.reason ?? "The gateway hasn't approved this console's device"),
    "On the gateway's machine, run `openclaw devices list`, then `openclaw devices approve <request id>`."
  )
}

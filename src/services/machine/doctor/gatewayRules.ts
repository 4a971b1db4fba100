import type { Failure, Why } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import type { GatewayStatus } from "../../../contract/schema/gateway.ts"
import type { GatewayConnection } from "../../gateway/client/GatewayClientShape.ts"
import { type Finding, finding, ok, problem, warning } from "./doctorCheck.ts"

const whole = (text: string, why: Why | undefined): Failure => {
  const message = /[.!?]$/.test(text) ? text : `${text}.`
  return why === undefined ? { message } : { message, why }
}

/** Whether the gateway can be reached. */
export const gatewayFinding = (
  url: string,
  status: GatewayStatus,
  connection: GatewayConnection | undefined
): Finding => {
  if (status.gateway === "ok") {
    const { version } = connection ?? {}
    return ok(
      version === undefined
        ? failure("GATEWAY_ANSWERS", { address: url })
        : failure("GATEWAY_ANSWERS_VERSION", { address: url, version })
    )
  }
  // The client's own failure messages already say what to do.
  return status.reason === undefined
    ? problem(failure("NOT_CONNECTED", { address: url }), failure("START_GATEWAY"))
    : finding("problem", whole(status.reason, status.why))
}

/** Whether there's a gateway token. Whether it's the right one shows in the connection. */
export const tokenFinding = (hasToken: boolean): Finding =>
  hasToken ? ok(failure("TOKEN_SET")) : problem(failure("TOKEN_NOT_SET"), failure("SET_GATEWAY_TOKEN"))

/** Whether the gateway has approved the console's device. */
export const deviceFinding = (status: GatewayStatus, connection: GatewayConnection | undefined): Finding => {
  if (connection === undefined) {
    return warning(failure("DEVICE_UNKNOWN"), failure("CONNECT_FIRST"))
  }
  if (connection.scopes.length > 0 && status.reason === undefined) {
    return ok(failure("DEVICE_APPROVED", { scopes: connection.scopes.join(", ") }))
  }
  return problem(
    status.reason === undefined ? failure("DEVICE_NOT_APPROVED") : whole(status.reason, status.why),
    failure("APPROVE_DEVICE")
  )
}

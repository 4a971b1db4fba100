import { GatewayError } from "../services/gateway/GatewayError.ts"
import { errorBody } from "./errorBody.ts"

/** 502 for a failed call of the gateway, with what to do about it (D35). */
export const GatewayFailure = errorBody(GatewayError, {
  code: "gateway_failure",
  status: 502,
  details: (error) => error.message
})

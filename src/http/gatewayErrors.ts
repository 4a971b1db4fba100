import { GatewayError } from "../services/gateway/client/GatewayError.ts"
import { errorBody } from "./errorBody.ts"

/** 502 for a failed gateway call, with what to do about it. */
export const GatewayFailure = errorBody(GatewayError, {
  code: "gateway_failure",
  status: 502,
  details: (error) => error
})

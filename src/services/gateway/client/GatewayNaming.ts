import { Context } from "effect"
import { type GatewayNames, PRIMARY_NAMES } from "../../../contract/gatewayNames.ts"

/** How failures call the address and the token of the gateway that a scope belongs to. */
export const GatewayNaming = Context.Reference<GatewayNames>("agent-console/services/gateway/client/GatewayNaming", {
  defaultValue: () => PRIMARY_NAMES
})

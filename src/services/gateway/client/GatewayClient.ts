import { Context, Layer } from "effect"
import type { GatewayClientShape } from "./GatewayClientShape.ts"
import { openWebSocket } from "./gatewaySocket.ts"
import { makeGatewayClient } from "./makeGatewayClient.ts"

/** The server's own connection to the gateway: one socket, the console's device identity, reconnecting. */
export class GatewayClient extends Context.Service<GatewayClient, GatewayClientShape>()(
  "agent-console/services/gateway/client/GatewayClient"
) {
  /** Connects in the background: building it never waits for the gateway. Without a token it does not connect. */
  static readonly layer = Layer.effect(GatewayClient, makeGatewayClient(openWebSocket))
}

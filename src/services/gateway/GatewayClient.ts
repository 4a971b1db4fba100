import { Context, type Duration, type Effect, Layer, type PubSub, type Schema, type Scope } from "effect"
import type { GatewayError } from "./GatewayError.ts"
import { openWebSocket } from "./gatewaySocket.ts"
import { makeGatewayClient } from "./makeGatewayClient.ts"

/** An event frame of the gateway as it arrived; decode `payload` where it is used. */
export interface GatewayEvent {
  readonly event: string
  readonly payload: unknown
}

/** State of the server's own link to the gateway, and the data of `status.changed` (D34). */
export interface GatewayStatus {
  readonly gateway: "ok" | "unreachable"
  /** Epoch milliseconds since when `gateway` has this value. */
  readonly since: number
  /** One sentence for people; absent while everything works. With `ok` it says why the link has reduced scopes. */
  readonly reason?: string
}

/** What the gateway said of itself and of this link when it was opened. */
export interface GatewayConnection {
  /** Generation of the wire protocol, 3 or 4. */
  readonly protocol: number
  /** Version of the gateway's program; `undefined` when it keeps it to itself. */
  readonly version: string | undefined
  /** Scopes in force; none while the device waits for its approval. */
  readonly scopes: ReadonlyArray<string>
  /** The methods it lists; some that exist are not listed. */
  readonly methods: ReadonlySet<string>
}

export interface GatewayClientShape {
  /**
   * Calls a method and decodes the payload of its first answer (`agent` sends a second one: ask `agent.wait` for it).
   * Waits for a link that is just opening, at most for the time limit (default 10 s); fails at once while the gateway
   * is known to be away. Interrupting it forgets the call. A call that was sent and then lost is never sent again.
   */
  readonly request: <A>(
    method: string,
    params: object,
    payload: Schema.Decoder<A>,
    options?: { readonly timeout?: Duration.Input }
  ) => Effect.Effect<A, GatewayError>
  /** Every event frame from now on, until the scope closes. A reader more than 1024 events behind loses the oldest. */
  readonly events: Effect.Effect<PubSub.Subscription<GatewayEvent>, never, Scope.Scope>
  readonly status: Effect.Effect<GatewayStatus>
  /** Epoch milliseconds the gateway says it started at; `undefined` while it is not connected. */
  readonly gatewayStartedAt: Effect.Effect<number | undefined>
  /** `undefined` while it is not connected. */
  readonly connection: Effect.Effect<GatewayConnection | undefined>
}

/** The server's own connection to the gateway: one socket, the console's device identity, reconnecting (D34). */
export class GatewayClient extends Context.Service<GatewayClient, GatewayClientShape>()(
  "agent-console/services/gateway/GatewayClient"
) {
  /** Connects in the background: building it never waits for the gateway. Without a token it does not connect. */
  static readonly layer = Layer.effect(GatewayClient, makeGatewayClient(openWebSocket))
}

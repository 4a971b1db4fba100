import type { Duration, Effect, PubSub, Schema, Scope } from "effect"
import type { GatewayStatus } from "../../../contract/schema/gateway.ts"
import type { GatewayError } from "./GatewayError.ts"

/** A gateway event frame as received; decode `payload` where it's used. */
export interface GatewayEvent {
  readonly event: string
  readonly payload: unknown
}

/**
 * The client's own event, in order with the gateway's: the connection is up, or up again, with all its scopes, or so
 * much arrived at once that some was lost. What was told until now may be incomplete.
 */
export const LINKED = "agent-console.linked"

/** What the gateway said about itself and this connection when it opened. */
export interface GatewayConnection {
  /** Generation of the wire protocol, 3 or 4. */
  readonly protocol: number
  /** The gateway's version; `undefined` if it doesn't say. */
  readonly version: string | undefined
  /** Granted scopes; none while the device is waiting for approval. */
  readonly scopes: ReadonlyArray<string>
  /** The methods it lists; some existing ones aren't listed. */
  readonly methods: ReadonlySet<string>
}

export interface GatewayClientShape {
  /**
   * Calls a method and decodes the payload of its first response (`agent` sends a second one: use `agent.wait` for
   * that). Waits for a connection that's still opening, up to the time limit (10 s by default); fails at once if the
   * gateway is known to be away. Interrupting it drops the call. A call that was sent and then lost is never sent
   * again. With `background`, it's sent only while no other call is on its way, and after the background calls before it.
   */
  readonly request: <A>(
    method: string,
    params: object,
    payload: Schema.Decoder<A>,
    options?: { readonly timeout?: Duration.Input; readonly background?: boolean }
  ) => Effect.Effect<A, GatewayError>
  /** All event frames from now until the scope closes. A reader more than 1024 events behind loses the oldest. */
  readonly events: Effect.Effect<PubSub.Subscription<GatewayEvent>, never, Scope.Scope>
  readonly status: Effect.Effect<GatewayStatus>
  /** What keeps the connection from working, or from all its scopes; `undefined` while everything works. */
  readonly problem: Effect.Effect<GatewayError | undefined>
  /** When the gateway says it started, in epoch milliseconds; `undefined` while not connected. */
  readonly gatewayStartedAt: Effect.Effect<number | undefined>
  /** `undefined` while not connected. */
  readonly connection: Effect.Effect<GatewayConnection | undefined>
}

import { Context, type Duration, type Effect, type PubSub, Schema, type Scope } from "effect"

/** Why a gateway call failed; each has its own sentence for people (D35). */
export const GatewayFailureReason = Schema.Literals([
  "unreachable",
  "timeout",
  "refused",
  "not_approved",
  "missing_scope",
  "not_found",
  "invalid",
  "shape"
])

/**
 * A gateway call that failed. `message` is a sentence a person can act on and never holds the gateway's raw text;
 * `code` is the gateway's own error code where it gave one, for decisions in code only.
 */
export class GatewayError extends Schema.TaggedError<GatewayError>()("GatewayError", {
  reason: GatewayFailureReason,
  message: Schema.String,
  code: Schema.optionalKey(Schema.String)
}) {}

/** An event frame of the gateway as it arrived; decode `payload` where it is used. */
export interface GatewayEvent {
  readonly event: string
  readonly payload: unknown
}

/** State of the server's own link to the gateway, and the data of `status.changed` (D34). */
export interface GatewayStatus {
  readonly gateway: "ok" | "unreachable"
  /** Epoch milliseconds of the last change. */
  readonly since: number
  /** One sentence for people; absent while the link is up. */
  readonly reason?: string
}

export interface GatewayClientShape {
  /** Calls a method and decodes its payload. Waits for a link that is just opening, at most for the time limit (default 10 s). */
  readonly request: <A>(
    method: string,
    params: object,
    payload: Schema.Decoder<A>,
    options?: { readonly timeout?: Duration.Input }
  ) => Effect.Effect<A, GatewayError>
  /** Every event frame from now on, until the scope closes. */
  readonly events: Effect.Effect<PubSub.Subscription<GatewayEvent>, never, Scope.Scope>
  readonly status: Effect.Effect<GatewayStatus>
  /** Epoch milliseconds the gateway says it started at; `undefined` while it is not connected. */
  readonly gatewayStartedAt: Effect.Effect<number | undefined>
}

/** The server's own connection to the gateway: one socket, the console's device identity, reconnecting (D34). */
export class GatewayClient extends Context.Service<GatewayClient, GatewayClientShape>()(
  "agent-console/services/gateway/GatewayClient"
) {}

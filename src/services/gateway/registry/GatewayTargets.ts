import { Context, Effect, type Redacted } from "effect"
import { UnknownGateway } from "./gatewayErrors.ts"

/** Where an added gateway's connections go, and what opens them. */
export interface GatewayTarget {
  /** HTTP origin. */
  readonly url: string
  readonly token: Redacted.Redacted<string>
  /** Reports that somebody got through. */
  readonly wake: Effect.Effect<void>
  /** Waits until it's removed, or until its address or token is changed. */
  readonly gone: Effect.Effect<void>
}

/** The targets of the added gateways; without a layer, there are none. */
export const GatewayTargets = Context.Reference<(id: string) => Effect.Effect<GatewayTarget, UnknownGateway>>(
  "agent-console/services/gateway/registry/GatewayTargets",
  { defaultValue: () => (id) => Effect.fail(new UnknownGateway({ id })) }
)

import { Effect, type Scope } from "effect"
import type { GatewayEvent } from "./gatewayFrames.ts"

/** Hears what a connection brings, at once and in order: it never falls behind, so it has to be quick. */
export interface GatewayTap {
  /** An event frame. */
  readonly frame?: (event: GatewayEvent) => void
  /** A new connection is up with all its scopes; what happened before it was missed. */
  readonly linked?: () => void
  /** The numbers of events have jumped: some may be lost, although the connection is the same. Told after the event. */
  readonly gap?: () => void
  /** The connection is down. */
  readonly down?: () => void
}

export interface GatewayTaps {
  /** Adds a tap until the scope closes. */
  readonly tap: (tap: GatewayTap) => Effect.Effect<void, never, Scope.Scope>
  readonly linked: () => void
  readonly down: () => void
  /** Takes the events of one more connection, whose numbers begin anew. */
  readonly newConnection: () => (event: GatewayEvent) => void
}

/** All taps of a gateway's client. */
export const makeGatewayTaps = (): GatewayTaps => {
  const taps = new Set<GatewayTap>()
  const tell = (name: "linked" | "gap" | "down") => () => {
    for (const tap of taps) tap[name]?.()
  }
  const gap = tell("gap")
  return {
    tap: (tap) =>
      Effect.asVoid(
        Effect.acquireRelease(
          Effect.sync(() => taps.add(tap)),
          () => Effect.sync(() => taps.delete(tap))
        )
      ),
    linked: tell("linked"),
    down: tell("down"),
    newConnection: () => {
      let last: number | undefined
      return (event) => {
        const { seq } = event
        const hasJumped = seq !== undefined && last !== undefined && seq !== last + 1
        last = seq ?? last
        for (const tap of taps) tap.frame?.(event)
        if (hasJumped) gap()
      }
    }
  }
}

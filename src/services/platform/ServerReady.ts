import { Context, Deferred, Effect, Layer } from "effect"

/** Delays background work until the first requests can be answered. */
export interface ServerReadyShape {
  /** Returns once the listeners are open. */
  readonly wait: Effect.Effect<void>
  /** Starts the waiting work. */
  readonly open: Effect.Effect<void>
}

/**
 * Connecting to the gateway and watching files wait for this, so that a start answers its first request first. Without
 * a layer, nothing waits.
 */
export const ServerReady = Context.Reference<ServerReadyShape>("agent-console/services/platform/ServerReady", {
  defaultValue: () => ({ wait: Effect.void, open: Effect.void })
})

/** Closed until the listeners open it. */
export const ServerReadyLive = Layer.effect(
  ServerReady,
  Effect.map(Deferred.make<void>(), (opened) => ({
    wait: Deferred.await(opened),
    open: Effect.asVoid(Deferred.succeed(opened, undefined))
  }))
)

import { Context, Deferred, Effect, Layer } from "effect"

/** Tells background work when the first requests can be answered. */
export interface AnsweringShape {
  /** Returns once the listeners are open. */
  readonly wait: Effect.Effect<void>
  /** Lets waiting work begin. */
  readonly open: Effect.Effect<void>
}

/**
 * Connecting to the gateway and watching files wait for this, so that a start answers its first request first. Without
 * a layer, nothing waits.
 */
export const Answering = Context.Reference<AnsweringShape>("agent-console/services/platform/startup/Answering", {
  defaultValue: () => ({ wait: Effect.void, open: Effect.void })
})

/** Closed until the listeners open it. */
export const AnsweringLive = Layer.effect(
  Answering,
  Effect.map(Deferred.make<void>(), (opened) => ({
    wait: Deferred.await(opened),
    open: Effect.asVoid(Deferred.succeed(opened, undefined))
  }))
)

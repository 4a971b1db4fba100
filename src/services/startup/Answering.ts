import { Context, Deferred, Effect, Layer } from "effect"

/** Tells work that nobody asked for yet when the first requests can be answered. */
export interface AnsweringShape {
  /** Returns once the listeners are open. */
  readonly wait: Effect.Effect<void>
  /** Lets everyone who waits begin. */
  readonly open: Effect.Effect<void>
}

/**
 * Connecting to the gateway and watching files wait for this, so that a start answers its first request before them.
 * Nothing waits where no layer of it is provided.
 */
export const Answering = Context.Reference<AnsweringShape>("agent-console/services/startup/Answering", {
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

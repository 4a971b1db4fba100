import { Context, Effect, Layer, Queue } from "effect"

/** Lets any code that reached the gateway wake the console's own connection, which may be waiting for its next attempt. */
export interface LinkWakeShape {
  /** Reports that a connection has succeeded. Costs nothing while nothing is waiting. */
  readonly wake: Effect.Effect<void>
  /** Waits for a `wake`, or returns at once when there was one since the last wait or `forget`. */
  readonly woken: Effect.Effect<void>
  /** Discards earlier wake-ups. */
  readonly forget: Effect.Effect<void>
}

/** Without a layer, nothing is ever woken. */
export const LinkWake = Context.Reference<LinkWakeShape>("agent-console/services/gateway/client/LinkWake", {
  defaultValue: () => ({ wake: Effect.void, woken: Effect.never, forget: Effect.void })
})

/** However often it's called, each wait is woken once. */
export const LinkWakeLive = Layer.effect(
  LinkWake,
  Effect.map(Queue.sliding<void>(1), (signals) => ({
    wake: Effect.asVoid(Queue.offer(signals, undefined)),
    woken: Queue.take(signals),
    forget: Effect.asVoid(Queue.clear(signals))
  }))
)

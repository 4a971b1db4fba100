import { Context, Effect, Layer, Queue } from "effect"

/** Lets anyone who reached the gateway wake the console's own connection, which may be waiting for its next attempt. */
export interface LinkWakeShape {
  /** Reports that someone just got through. Costs nothing while nobody is waiting. */
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
  Effect.map(Queue.sliding<void>(1), (told) => ({
    wake: Effect.asVoid(Queue.offer(told, undefined)),
    woken: Queue.take(told),
    forget: Effect.asVoid(Queue.clear(told))
  }))
)

import { Clock, Context, Effect, Layer, PubSub, type Scope } from "effect"

/** One message of the event stream, exactly as it goes on the wire (SPEC "Events"). */
export interface ConsoleEvent {
  readonly event: string
  readonly data: object
  /** Epoch milliseconds at which it was published. */
  readonly ts: number
}

/** How many unread messages one subscriber may fall behind before the oldest are dropped. */
const SUBSCRIBER_BACKLOG = 1024

export interface EventBusShape {
  /** Hands an event to every subscriber; never waits for a slow one. */
  readonly publish: (event: string, data: object) => Effect.Effect<void>
  /** Everything published from now on, until the scope closes. */
  readonly subscribe: Effect.Effect<PubSub.Subscription<ConsoleEvent>, never, Scope.Scope>
}

/** Live events of all services, read by `GET /api/events`. */
export class EventBus extends Context.Service<EventBus, EventBusShape>()("agent-console/services/events/EventBus") {
  static readonly layer = Layer.effect(
    EventBus,
    Effect.gen(function* () {
      const pubsub = yield* PubSub.sliding<ConsoleEvent>(SUBSCRIBER_BACKLOG)
      yield* Effect.addFinalizer(() => PubSub.shutdown(pubsub))
      const publish = Effect.fnUntraced(function* (event: string, data: object) {
        const ts = yield* Clock.currentTimeMillis
        yield* PubSub.publish(pubsub, { event, data, ts })
      })
      return EventBus.of({ publish, subscribe: PubSub.subscribe(pubsub) })
    })
  )
}

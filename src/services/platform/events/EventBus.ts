import { Clock, Context, Effect, Layer, PubSub, type Scope } from "effect"
import { type ConsoleEvent, type PublishedEvent, STATE_EVENTS } from "../../../contract/ConsoleEvent.ts"

/** How many unread messages one subscriber may fall behind before the oldest are dropped. */
const SUBSCRIBER_BACKLOG = 1024

export interface EventBusShape {
  /** Sends an event to every subscriber; never waits for a slow one. */
  readonly publish: (event: ConsoleEvent) => Effect.Effect<void>
  /** The last of each event that describes a state, for those that subscribe later. */
  readonly states: Effect.Effect<ReadonlyArray<PublishedEvent>>
  /** Everything published from now until the scope closes. */
  readonly subscribe: Effect.Effect<PubSub.Subscription<PublishedEvent>, never, Scope.Scope>
}

/** Live events of all services, read by `GET /api/events`. */
export class EventBus extends Context.Service<EventBus, EventBusShape>()(
  "agent-console/services/platform/events/EventBus"
) {
  static readonly layer = Layer.effect(
    EventBus,
    Effect.gen(function* () {
      const pubsub = yield* PubSub.sliding<PublishedEvent>(SUBSCRIBER_BACKLOG)
      yield* Effect.addFinalizer(() => PubSub.shutdown(pubsub))
      const states = new Map<string, PublishedEvent>()
      const publish = Effect.fnUntraced(function* (event: ConsoleEvent) {
        const ts = yield* Clock.currentTimeMillis
        const published = { ...event, ts }
        if (STATE_EVENTS.has(event.event)) states.set(event.event, published)
        yield* PubSub.publish(pubsub, published)
      })
      return EventBus.of({
        publish,
        states: Effect.sync(() => [...states.values()]),
        subscribe: PubSub.subscribe(pubsub)
      })
    })
  )
}

import { Clock, Context, Effect, Layer, PubSub, Schedule } from "effect"
import { type ConsoleEvent, EventBus } from "../../services/events/EventBus.ts"
import type { ConsoleResponse } from "../ConsoleResponse.ts"
import { eventMessages } from "./eventMessage.ts"

/** Bytes that may wait for one slow reader; then its stream is cut, and it comes back and starts afresh. */
const MAX_PENDING_BYTES = 1024 * 1024
const PING_EVERY = "30 seconds"

/** Writes each event once and hands the same bytes to every open stream, so that many readers cost little. */
export class EventHub extends Context.Service<
  EventHub,
  {
    /** Lets an answer, once its head is written, be a stream of all messages from now on, `connected` first. */
    readonly open: (response: ConsoleResponse) => Effect.Effect<void>
    /** How many streams are open. */
    readonly size: Effect.Effect<number>
  }
>()("agent-console/http/events/EventHub") {
  static readonly layer = Layer.effect(
    EventHub,
    Effect.gen(function* () {
      const bus = yield* EventBus
      const subscription = yield* bus.subscribe
      const readers = new Set<ConsoleResponse>()
      // One listener for all streams: a closure for each would be a tenth of what a stream costs.
      function forget(this: ConsoleResponse) {
        readers.delete(this)
      }

      const hand = (reader: ConsoleResponse, messages: Uint8Array) => {
        reader.write(messages)
        if (reader.writableLength <= MAX_PENDING_BYTES) return
        readers.delete(reader)
        reader.destroy()
      }

      const broadcast = (events: ReadonlyArray<ConsoleEvent>) => {
        const messages = eventMessages(events)
        for (const reader of readers) hand(reader, messages)
      }

      const named = (event: string) => Effect.map(Clock.currentTimeMillis, (ts) => ({ event, data: { ts }, ts }))

      const open = Effect.fnUntraced(function* (response: ConsoleResponse) {
        const connected = yield* named("connected")
        response.keepOpen(() => {
          readers.add(response)
          response.on("close", forget)
          hand(response, eventMessages([connected]))
        })
      })

      yield* PubSub.takeAll(subscription).pipe(Effect.map(broadcast), Effect.forever, Effect.forkScoped)
      yield* named("ping").pipe(
        Effect.map((ping) => broadcast([ping])),
        Effect.schedule(Schedule.spaced(PING_EVERY)),
        Effect.forkScoped
      )

      return EventHub.of({ open, size: Effect.sync(() => readers.size) })
    })
  )
}

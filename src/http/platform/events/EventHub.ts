import { Clock, Context, Effect, Layer, PubSub, Schedule, type Scope } from "effect"
import { STATE_EVENTS } from "../../../contract/ConsoleEvent.ts"
import type { ConsoleResponse } from "../../../node/ConsoleResponse.ts"
import { EventBus } from "../../../services/platform/events/EventBus.ts"

/** What goes on the wire as one event. */
export interface EventMessage {
  readonly event: string
  readonly data: object
  /** Epoch milliseconds. */
  readonly ts: number
}

const encoder = new TextEncoder()

/** An event and its JSON, which is the same for all who get it. */
export interface WrittenEvent {
  readonly message: EventMessage
  readonly json: string
}

/** An event as a stream has it: an `event:` line and a `data:` line with the whole of it. */
const streamed = ({ json, message }: WrittenEvent): Uint8Array =>
  encoder.encode(`event: ${message.event.replace(/[\r\n]/g, " ")}\ndata: ${json}\n\n`)

/**
 * An event that cannot be written, which would be a mistake of this program, is left out, so that the streams go on.
 */
const written = (message: EventMessage): Effect.Effect<WrittenEvent | undefined> =>
  Effect.try(() => ({ message, json: JSON.stringify(message) })).pipe(
    Effect.catch(({ cause }) =>
      Effect.as(Effect.logWarning(`the event ${message.event} can't be written and was left out`, cause), undefined)
    )
  )

/** How many bytes may wait for one slow reader. Beyond that its stream is cut, and it reconnects and starts afresh. */
const MAX_PENDING_BYTES = 1024 * 1024
const PING_EVERY = "30 seconds"

/** Encodes each event once and sends the same bytes to every open stream, so that many readers cost little. */
export class EventHub extends Context.Service<
  EventHub,
  {
    /**
     * Turns a response, once its head is written, into a stream of all messages from now on. `connected` comes first,
     * then the known states.
     */
    readonly open: (response: ConsoleResponse) => Effect.Effect<void>
    /** Hands a message of any name to every open stream. */
    readonly send: (message: EventMessage) => Effect.Effect<void>
    /** Calls the listener with all messages from now on, until the scope closes. */
    readonly follow: (
      listener: (events: ReadonlyArray<WrittenEvent>) => void
    ) => Effect.Effect<void, never, Scope.Scope>
    /** The last of each event that describes a state. */
    readonly states: () => ReadonlyArray<WrittenEvent>
    /** How many streams are open. */
    readonly size: Effect.Effect<number>
  }
>()("agent-console/http/platform/events/EventHub") {
  static readonly layer = Layer.effect(
    EventHub,
    Effect.gen(function* () {
      const bus = yield* EventBus
      const subscription = yield* bus.subscribe
      const readers = new Set<ConsoleResponse>()
      const followers = new Set<(events: ReadonlyArray<WrittenEvent>) => void>()
      const states = new Map<string, WrittenEvent>()
      // One listener for all streams: a closure per stream would be a tenth of a stream's cost.
      function forget(this: ConsoleResponse) {
        readers.delete(this)
      }

      const hand = (reader: ConsoleResponse, messages: Uint8Array) => {
        reader.write(messages)
        if (reader.writableLength <= MAX_PENDING_BYTES) return
        readers.delete(reader)
        reader.destroy()
      }

      const broadcast = Effect.fnUntraced(function* (messages: ReadonlyArray<EventMessage>) {
        const events: Array<WrittenEvent> = []
        for (const message of messages) {
          // Nothing is encoded without subscribers.
          if (readers.size === 0 && followers.size === 0 && !STATE_EVENTS.has(message.event)) continue
          const event = yield* written(message)
          if (event === undefined) continue
          if (STATE_EVENTS.has(message.event)) states.set(message.event, event)
          events.push(event)
        }
        if (events.length === 0) return
        for (const listener of followers) listener(events)
        if (readers.size === 0) return
        const bytes = Buffer.concat(events.map(streamed))
        for (const reader of readers) hand(reader, bytes)
      })

      const named = (event: "connected" | "ping") =>
        Effect.map(Clock.currentTimeMillis, (ts): EventMessage => ({ event, data: { ts }, ts }))

      const open = Effect.fnUntraced(function* (response: ConsoleResponse) {
        const connected = yield* written(yield* named("connected"))
        response.keepOpen(() => {
          readers.add(response)
          response.on("close", forget)
          hand(
            response,
            Buffer.concat([...(connected === undefined ? [] : [connected]), ...states.values()].map(streamed))
          )
        })
      })

      // The gateway may have been found unreachable before this hub subscribed.
      yield* broadcast(yield* bus.states)
      yield* PubSub.takeAll(subscription).pipe(Effect.flatMap(broadcast), Effect.forever, Effect.forkScoped)
      yield* named("ping").pipe(
        Effect.flatMap((ping) => broadcast([ping])),
        Effect.schedule(Schedule.spaced(PING_EVERY)),
        Effect.forkScoped
      )

      return EventHub.of({
        open,
        send: (message) => broadcast([message]),
        follow: (listener) =>
          Effect.asVoid(
            Effect.acquireRelease(
              Effect.sync(() => followers.add(listener)),
              () => Effect.sync(() => followers.delete(listener))
            )
          ),
        states: () => [...states.values()],
        size: Effect.sync(() => readers.size)
      })
    })
  )
}

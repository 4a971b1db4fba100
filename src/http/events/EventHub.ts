import { type Cause, Clock, Context, Effect, type Fiber, Layer, PubSub, Schedule, type Scope, Stream } from "effect"
import { EventBus } from "../../services/events/EventBus.ts"
import { eventMessage } from "./eventMessage.ts"

/** Bytes that may wait for one slow reader; then its stream is cut, and it comes back and starts afresh. */
const MAX_PENDING_BYTES = 1024 * 1024
const PING_EVERY = "30 seconds"

type Batch = readonly [Uint8Array, ...Array<Uint8Array>]

/** One open event stream: what waits for it, or the reader that waits. */
interface Reader {
  waiting: Array<Uint8Array>
  bytes: number
  resume: ((batch: Effect.Effect<Batch>) => void) | undefined
  fiber: Fiber.Fiber<unknown, unknown> | undefined
}

/** Writes each event once and hands the same bytes to every open stream, so that many readers cost little. */
export class EventHub extends Context.Service<
  EventHub,
  {
    /** The messages from now on, `connected` first, until the scope closes. */
    readonly open: Effect.Effect<Stream.Stream<Uint8Array>, never, Scope.Scope>
    /** How many streams are open. */
    readonly size: Effect.Effect<number>
  }
>()("agent-console/http/events/EventHub") {
  static readonly layer = Layer.effect(
    EventHub,
    Effect.gen(function* () {
      const bus = yield* EventBus
      const subscription = yield* bus.subscribe
      const readers = new Set<Reader>()

      const hand = (reader: Reader, message: Uint8Array) => {
        const { resume } = reader
        if (resume !== undefined) {
          reader.resume = undefined
          resume(Effect.succeed([message]))
          return
        }
        reader.waiting.push(message)
        reader.bytes += message.byteLength
        if (reader.bytes <= MAX_PENDING_BYTES) return
        readers.delete(reader)
        reader.waiting = []
        reader.fiber?.interruptUnsafe()
      }

      const broadcast = (message: Uint8Array) => {
        for (const reader of readers) hand(reader, message)
      }

      const pull = (reader: Reader): Effect.Effect<Batch, Cause.Done> =>
        Effect.withFiber((fiber) => {
          reader.fiber = fiber
          const [first, ...rest] = reader.waiting
          if (first === undefined) {
            return Effect.callback<Batch>((resume) => {
              reader.resume = resume
            })
          }
          reader.waiting = []
          reader.bytes = 0
          return Effect.succeed<Batch>([first, ...rest])
        })

      const named = (event: string) =>
        Effect.map(Clock.currentTimeMillis, (ts) => eventMessage({ event, data: { ts }, ts }))

      const open = Effect.gen(function* () {
        const reader: Reader = { waiting: [], bytes: 0, resume: undefined, fiber: undefined }
        yield* Effect.acquireRelease(
          Effect.sync(() => readers.add(reader)),
          () => Effect.sync(() => readers.delete(reader))
        )
        reader.waiting.unshift(yield* named("connected"))
        return Stream.fromPull(Effect.succeed(pull(reader)))
      })

      yield* PubSub.takeAll(subscription).pipe(
        Effect.map((events) => events.map(eventMessage).forEach(broadcast)),
        Effect.forever,
        Effect.forkScoped
      )
      yield* named("ping").pipe(Effect.map(broadcast), Effect.schedule(Schedule.spaced(PING_EVERY)), Effect.forkScoped)

      return EventHub.of({ open, size: Effect.sync(() => readers.size) })
    })
  )
}

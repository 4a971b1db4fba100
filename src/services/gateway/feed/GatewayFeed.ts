import { Clock, Context, Effect, FiberHandle, Layer, PubSub, Queue, Schedule, Schema, type Scope } from "effect"
import { PRIMARY } from "../../../contract/qualifiedKey.ts"
import { ServerReady } from "../../platform/ServerReady.ts"
import { Sqlite } from "../../platform/sqlite/Sqlite.ts"
import { GatewayClient, LINKED } from "../client/GatewayClient.ts"
import type { GatewayError } from "../client/GatewayError.ts"
import { type ListedSessions, makeListedSessions } from "../sessions/ListedSessions.ts"
import { makeCatchUp } from "./catchUp.ts"
import { APPROVAL_PREFIXES, ASK_ORIGINS, type AskOrigin, type FeedEvent, readAsk, readFeedEvent } from "./FeedEvent.ts"
import { makeFeedPosition } from "./feedPosition.ts"
import { makeSeen } from "./feedRules.ts"

/** The id of the gateway that a scope belongs to; every stored row names the gateway it comes from. */
export const OwnGatewayId = Context.Reference<string>("agent-console/services/gateway/feed/OwnGatewayId", {
  defaultValue: () => PRIMARY
})

const QUESTIONS_SINCE_PROTOCOL = 4
/** Messages and runs that are remembered, so that none is emitted twice. */
const MAX_SEEN = 5_000
/** Live events wait for missed ones, so that a session's messages come in their order. */
const MAX_HELD = 5_000
/** After a gap in the events, more gaps may follow: what was missed is read once they're over. */
const GAP_OVER = "1 second"
const CATCH_UP_AGAIN = { schedule: Schedule.spaced("30 seconds"), times: 4 } as const

export interface GatewayFeedShape {
  readonly gatewayId: string
  /** Every event from now until the scope closes. */
  readonly events: Effect.Effect<Queue.Dequeue<FeedEvent>, never, Scope.Scope>
  /**
   * Messages that wait for missed ones of their session, as they arrive: for a consumer that needs them soon and in no
   * order. Each is an event later.
   */
  readonly early: Effect.Effect<Queue.Dequeue<FeedEvent>, never, Scope.Scope>
  /**
   * Calls the handler for each event, one after the other, until the scope closes. Messages and runs of jobs that it
   * hadn't handled when the console ended are emitted again after the next start, as may be those of the second before.
   */
  readonly follow: (handle: (event: FeedEvent) => Effect.Effect<void>) => Effect.Effect<void, never, Scope.Scope>
  /** Requests the gateway's open requests again and emits them as `Listed`. Does nothing if it has no such list. */
  readonly list: (origin: AskOrigin) => Effect.Effect<void, GatewayError>
  /** For how long events may have been missed, as far as was looked; 0 while connected and caught up. */
  readonly lagMs: Effect.Effect<number>
  /** The gateway's list of sessions, read once per connection. */
  readonly sessions: ListedSessions
}

/** An event being delivered to the followers. */
interface Delivery {
  readonly event: FeedEvent
  /** One of them is done with it. */
  readonly done: () => void
}

const Rows = Schema.Array(Schema.Unknown)
const Questions = Schema.Struct({ questions: Rows })
const Pairings = Schema.Struct({ pending: Rows })

/**
 * The gateway's events on the console's own connection, decoded once for all services. After each connect it reads what
 * was missed, so that nothing is missing and nothing is emitted twice.
 */
export class GatewayFeed extends Context.Service<GatewayFeed, GatewayFeedShape>()(
  "agent-console/services/gateway/feed/GatewayFeed"
) {
  static readonly layer = Layer.effect(
    GatewayFeed,
    Effect.gen(function* () {
      const gateway = yield* GatewayClient
      const sqlite = yield* Sqlite
      const serverReady = yield* ServerReady
      const arriving = yield* gateway.events
      const gatewayId = yield* OwnGatewayId
      const position = yield* makeFeedPosition(sqlite, gatewayId)
      const sessions = yield* makeListedSessions(gateway)
      const gaps = yield* Queue.sliding<void>(1)
      yield* gateway.tap({ gap: () => Queue.offerUnsafe(gaps, undefined) })
      const listeners = new Set<Queue.Queue<FeedEvent>>()
      const followers = new Set<Queue.Queue<Delivery>>()
      const early = new Set<Queue.Queue<FeedEvent>>()
      const seen = makeSeen(MAX_SEEN)
      /** For each list being read, the ids in events of its origin since then, which are newer than the list. */
      const readings = new Set<{ readonly origin: AskOrigin; readonly newer: Set<string> }>()
      /** Live messages and runs, while what was missed is read. */
      let held: Array<FeedEvent> | undefined
      /** Something may have been missed that wasn't read yet. */
      let isBehind = true
      /** When nothing was missing. */
      let completeAt = yield* Clock.currentTimeMillis

      const settle = (event: FeedEvent) => {
        if (event._tag === "Said") position.moveTo(event.said)
        if (event._tag === "CronEnded") position.cronsUntil(event.run.at)
        position.done()
      }

      const emit = (event: FeedEvent) => {
        for (const listener of listeners) Queue.offerUnsafe(listener, event)
        let left = followers.size
        position.emitted()
        if (left === 0) settle(event)
        const done = () => {
          left -= 1
          if (left === 0) settle(event)
        }
        for (const follower of followers) Queue.offerUnsafe(follower, { event, done })
      }

      /** Emits an event with an id of its own once. */
      const emitOnce = (event: FeedEvent) => {
        if (event._tag === "Said" && !seen.isFirst(`${event.said.sessionKey} ${event.said.id}`)) return
        if (event._tag === "CronEnded" && !seen.isFirst(event.run.id)) return
        emit(event)
      }

      const onLiveEvent = (event: FeedEvent) => {
        if (event._tag === "Asked") note(event.ask.origin, event.ask.id)
        if (event._tag === "Settled") note(event.origin, event.id)
        if (event._tag === "SessionChanged" && event.isDeleted) position.forget(event.sessionKey)
        if (event._tag === "SessionChanged" && !isBehind) position.receivedUntil(event.at)
        if (held === undefined || (event._tag !== "Said" && event._tag !== "CronEnded")) return emitOnce(event)
        for (const queue of early) Queue.offerUnsafe(queue, event)
        held.push(event)
        if (held.length > MAX_HELD) held.shift()
      }

      const note = (origin: AskOrigin, id: string) => {
        for (const reading of readings) if (reading.origin === origin) reading.newer.add(id)
      }

      const rows = (origin: AskOrigin) => {
        switch (origin) {
          case "question":
            return Effect.map(gateway.request("question.list", {}, Questions), ({ questions }) => questions)
          case "pairing":
            return Effect.map(gateway.request("device.pair.list", {}, Pairings), ({ pending }) => pending)
          default:
            return gateway.request(`${APPROVAL_PREFIXES[origin]}.list`, {}, Rows)
        }
      }

      const hasList = Effect.fnUntraced(function* (origin: AskOrigin) {
        const connection = yield* gateway.connection
        if (connection === undefined) return false
        if (origin === "pairing") return true
        if (origin === "question") return connection.protocol >= QUESTIONS_SINCE_PROTOCOL
        return connection.methods.has(`${APPROVAL_PREFIXES[origin]}.list`)
      })

      const list: GatewayFeedShape["list"] = Effect.fn("GatewayFeed.list")(function* (origin) {
        if (!(yield* hasList(origin))) return
        const reading = { origin, newer: new Set<string>() }
        readings.add(reading)
        const found = yield* rows(origin).pipe(Effect.ensuring(Effect.sync(() => readings.delete(reading))))
        const asks = found.flatMap((row) => readAsk(origin, row) ?? []).filter(({ id }) => !reading.newer.has(id))
        emit({ _tag: "Listed", origin, asks, newer: reading.newer })
      })

      const missed = makeCatchUp({
        gateway,
        sessions,
        position,
        emitMessage: (said) => Effect.sync(() => emitOnce({ _tag: "Said", said })),
        emitRun: (run) => Effect.sync(() => emitOnce({ _tag: "CronEnded", run }))
      })

      const release = Effect.sync(() => {
        const waiting = held ?? []
        held = undefined
        for (const event of waiting) emitOnce(event)
      })

      const catchUp = Effect.gen(function* () {
        held = []
        isBehind = true
        const lists = new Set(yield* Effect.filter(ASK_ORIGINS, hasList))
        emit({ _tag: "Linked", gatewayStartedAt: yield* gateway.gatewayStartedAt, lists })
        yield* Effect.forEach(
          ASK_ORIGINS,
          (origin) =>
            list(origin).pipe(
              Effect.catch((error) => Effect.logWarning(`Couldn't read the gateway's open requests: ${error.message}`))
            ),
          { concurrency: "unbounded", discard: true }
        )
        yield* missed.pipe(
          Effect.andThen(
            Effect.sync(() => {
              isBehind = false
            })
          ),
          Effect.retry(CATCH_UP_AGAIN),
          Effect.catch((error) => Effect.logWarning(`Couldn't catch up with the gateway: ${error.message}`))
        )
        yield* release
      })

      const catching = yield* FiberHandle.make()
      const startCatchUp = FiberHandle.run(catching, catchUp)
      const mendGaps = Queue.take(gaps).pipe(
        Effect.andThen(Effect.sleep(GAP_OVER)),
        // One that's begun goes on: gaps that never end would begin it again and again.
        Effect.andThen(FiberHandle.awaitEmpty(catching)),
        Effect.andThen(startCatchUp),
        Effect.forever
      )
      const receive = Effect.flatMap(PubSub.take(arriving), (frame) =>
        Effect.suspend(() => {
          if (frame.event === LINKED) return startCatchUp
          const event = readFeedEvent(frame)
          return event === undefined ? Effect.void : Effect.sync(() => onLiveEvent(event))
        })
      )
      const begin = Effect.flatMap(gateway.connection, (connection) =>
        connection === undefined ? Effect.void : startCatchUp
      )
      yield* Effect.forkScoped(Effect.andThen(serverReady.wait, Effect.andThen(begin, Effect.forever(receive))))
      yield* Effect.forkScoped(mendGaps)

      const queueIn = <A>(queues: Set<Queue.Queue<A>>) =>
        Effect.acquireRelease(
          Effect.tap(Queue.unbounded<A>(), (queue) => Effect.sync(() => queues.add(queue))),
          (queue) =>
            Effect.andThen(
              Effect.sync(() => queues.delete(queue)),
              Queue.shutdown(queue)
            )
        )

      const lagMs = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (!isBehind && (yield* gateway.connection) !== undefined) completeAt = now
        return Math.max(0, now - completeAt)
      })

      return GatewayFeed.of({
        gatewayId,
        lagMs,
        sessions,
        events: queueIn(listeners),
        early: queueIn(early),
        follow: Effect.fnUntraced(function* (handle) {
          const deliveries = yield* queueIn(followers)
          yield* Queue.take(deliveries).pipe(
            Effect.flatMap(({ event, done }) => Effect.andThen(handle(event), Effect.sync(done))),
            Effect.forever,
            Effect.forkScoped
          )
        }),
        list
      })
    })
  )
}

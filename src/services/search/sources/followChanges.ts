import { Effect, PubSub, Queue, Schema } from "effect"
import type { PublishedEvent } from "../../../contract/ConsoleEvent.ts"
import { Task } from "../../board/task.ts"
import type { GatewayClientShape } from "../../gateway/client/GatewayClientShape.ts"
import type { FeedEvent } from "../../gateway/feed/FeedEvent.ts"
import { type FeedMessage, readHistoryMessage } from "../../gateway/feed/feedMessage.ts"
import type { GatewayFeedShape } from "../../gateway/feed/GatewayFeed.ts"
import type { EventBusShape } from "../../platform/events/EventBus.ts"
import type { IndexKeeper } from "../indexKeeper.ts"
import { conversation } from "../searchTypes.ts"
import { cardEntry, cardPlace } from "./boardEntries.ts"
import type { Sources } from "./makeSources.ts"
import { isIncomplete, messageEntry } from "./messageEntry.ts"

/** A file is saved in several steps, each with its own event. */
const SETTLED_AFTER = "300 millis"

const WholeMessage = Schema.Struct({ message: Schema.optionalKey(Schema.Unknown) })
const isTask = Schema.is(Task)

interface FollowOptions {
  readonly feed: GatewayFeedShape
  readonly bus: EventBusShape
  readonly gateway: GatewayClientShape
  readonly sources: Sources
  readonly keeper: IndexKeeper
}

/** Brings what's told into the index as it's told. Whatever fails here is read again by the next look at everything. */
export const followChanges = Effect.fnUntraced(function* ({ feed, bus, gateway, sources, keeper }: FollowOptions) {
  const { ask, report } = keeper
  const { gatewayId } = sources
  const events = yield* feed.events
  const changes = yield* bus.subscribe
  /** Agents whose files have changed, the agent log, or both. */
  const stale = new Set<string | undefined>()
  let isLogStale = false
  const isStale = yield* Queue.sliding<void>(1)

  const safely = <A, E extends { readonly message: string }>(work: Effect.Effect<A, E>) =>
    Effect.suspend(() => (keeper.isRemoved() ? Effect.void : Effect.catch(work, report)))

  const whole = Effect.fnUntraced(function* (said: FeedMessage) {
    const entry = yield* gateway
      .request("chat.message.get", { sessionKey: said.sessionKey, messageId: said.id }, WholeMessage, {
        background: true
      })
      .pipe(Effect.map(({ message }) => readHistoryMessage(said.sessionKey, message)))
    const found = entry && messageEntry(gatewayId, entry)
    if (found !== undefined) yield* ask("put", [found])
  })

  const hear = Effect.fnUntraced(function* (told: ReadonlyArray<FeedEvent>) {
    let entries: Array<NonNullable<ReturnType<typeof messageEntry>>> = []
    const flush = Effect.suspend(() => {
      const batch = entries
      entries = []
      return batch.length === 0 ? Effect.void : safely(ask("put", batch))
    })
    for (const event of told) {
      if (event._tag === "Said") {
        const entry = messageEntry(gatewayId, event.said)
        if (entry !== undefined) entries.push(entry)
        if (isIncomplete(event.said)) yield* Effect.forkScoped(safely(whole(event.said)))
      }
      if (event._tag === "Linked") yield* keeper.lookSoon
      if (event._tag !== "SessionChanged") continue
      const place = conversation(gatewayId, event.sessionKey)
      if (event.isDeleted) {
        sources.noteDeleted(event.sessionKey)
        yield* flush
        yield* safely(ask("forget", place))
      }
      if (event.isRewritten) {
        yield* flush
        yield* safely(ask("setReadTo", place, -1))
        yield* keeper.lookSoon
      }
    }
    yield* flush
  })

  const heed = (event: PublishedEvent): Effect.Effect<void> => {
    switch (event.event) {
      case "kanban.changed": {
        const { action, id, kind, task } = event.data
        if (kind !== "task") return Effect.void
        if (action === "deleted") return safely(ask("remove", cardPlace(gatewayId), [id]))
        return isTask(task) ? safely(ask("put", [cardEntry(gatewayId, task)])) : Effect.void
      }
      case "memory.changed":
      case "file.changed":
        stale.add(event.data.agent)
        return Effect.asVoid(Queue.offer(isStale, undefined))
      case "agentlog.added":
        isLogStale = true
        return Effect.asVoid(Queue.offer(isStale, undefined))
      default:
        return Effect.void
    }
  }

  const refresh = Effect.gen(function* () {
    yield* Queue.take(isStale)
    yield* Effect.sleep(SETTLED_AFTER)
    const agents = [...stale]
    stale.clear()
    for (const agent of agents) yield* safely(sources.knowledge(ask, agent))
    if (isLogStale) {
      isLogStale = false
      yield* safely(sources.logEntries(ask))
    }
  })

  yield* Queue.takeAll(events).pipe(Effect.flatMap(hear), Effect.forever, Effect.forkScoped)
  yield* PubSub.take(changes).pipe(Effect.flatMap(heed), Effect.forever, Effect.forkScoped)
  yield* refresh.pipe(Effect.forever, Effect.forkScoped)
})

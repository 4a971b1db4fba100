import { Array as Arr, Effect, PubSub, Queue, Schema } from "effect"
import type { PublishedEvent } from "../../../contract/ConsoleEvent.ts"
import { Task } from "../../../contract/schema/task.ts"
import type { EventBusShape } from "../../platform/events/EventBus.ts"
import type { IndexUpdater } from "../indexUpdater.ts"
import { cardPlace, type Sources } from "./makeSources.ts"
import { BATCH } from "./syncEntries.ts"

/** Saving a file causes several events, and agents change several cards in a row. */
const SETTLED_AFTER = "300 millis"

const isTask = Schema.is(Task)

interface FollowOptions {
  readonly bus: EventBusShape
  readonly sources: Sources
  readonly updater: IndexUpdater
}

/** Updates the index at the events of changes. The next pass repeats failed updates. */
export const followChanges = Effect.fnUntraced(function* ({ bus, sources, updater }: FollowOptions) {
  const { ask, report } = updater
  const { gatewayId } = sources
  const changes = yield* bus.subscribe
  /** Changed cards in their latest state; `undefined` if deleted. */
  const cards = new Map<string, unknown>()
  /** Agents whose files have changed, the agent log, or both. */
  const stale = new Set<string | undefined>()
  let isLogStale = false
  const isStale = yield* Queue.sliding<void>(1)

  const safely = <A, E extends { readonly message: string }>(work: Effect.Effect<A, E>) =>
    Effect.suspend(() => (updater.isRemoved() ? Effect.void : Effect.catch(work, report)))

  const updateCards = Effect.suspend(() => {
    const changed = [...cards]
    cards.clear()
    const gone = changed.flatMap(([id, task]) => (task === undefined ? id : []))
    const kept = changed.map(([, task]) => task).filter(isTask)
    const remove = gone.length === 0 ? Effect.void : ask("remove", cardPlace(gatewayId), gone)
    const put = Effect.forEach(Arr.chunksOf(kept, BATCH), (some) =>
      Effect.flatMap(Effect.forEach(some, sources.card), (entries) => ask("put", entries))
    )
    return safely(Effect.andThen(remove, put))
  })

  const onEvent = (event: PublishedEvent): Effect.Effect<void> => {
    switch (event.event) {
      case "kanban.changed": {
        const { action, id, kind, task } = event.data
        if (kind !== "task") return Effect.void
        cards.set(id, action === "deleted" ? undefined : task)
        return Effect.asVoid(Queue.offer(isStale, undefined))
      }
      case "memory.changed":
      case "file.changed":
        // Only files of this machine are in the index.
        if ("gatewayId" in event.data) return Effect.void
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
    yield* updateCards
    const agents = [...stale]
    stale.clear()
    for (const agent of agents) yield* safely(sources.knowledge(ask, agent))
    if (isLogStale) {
      isLogStale = false
      yield* safely(sources.logEntries(ask))
    }
  })

  yield* PubSub.take(changes).pipe(Effect.flatMap(onEvent), Effect.forever, Effect.forkScoped)
  yield* refresh.pipe(Effect.forever, Effect.forkScoped)
})

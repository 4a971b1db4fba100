import { Effect, PubSub, Queue, Schema } from "effect"
import type { PublishedEvent } from "../../../contract/ConsoleEvent.ts"
import { Task } from "../../board/task.ts"
import type { EventBusShape } from "../../platform/events/EventBus.ts"
import type { IndexKeeper } from "../indexKeeper.ts"
import { cardPlace } from "./boardEntries.ts"
import type { Sources } from "./makeSources.ts"

/** A file is saved in several steps, each with its own event. */
const SETTLED_AFTER = "300 millis"

const isTask = Schema.is(Task)

interface FollowOptions {
  readonly bus: EventBusShape
  readonly sources: Sources
  readonly keeper: IndexKeeper
}

/** Brings what's told into the index as it's told. Whatever fails here is read again by the next look at everything. */
export const followChanges = Effect.fnUntraced(function* ({ bus, sources, keeper }: FollowOptions) {
  const { ask, report } = keeper
  const { gatewayId } = sources
  const changes = yield* bus.subscribe
  /** Agents whose files have changed, the agent log, or both. */
  const stale = new Set<string | undefined>()
  let isLogStale = false
  const isStale = yield* Queue.sliding<void>(1)

  const safely = <A, E extends { readonly message: string }>(work: Effect.Effect<A, E>) =>
    Effect.suspend(() => (keeper.isRemoved() ? Effect.void : Effect.catch(work, report)))

  const heed = (event: PublishedEvent): Effect.Effect<void> => {
    switch (event.event) {
      case "kanban.changed": {
        const { action, id, kind, task } = event.data
        if (kind !== "task") return Effect.void
        if (action === "deleted") return safely(ask("remove", cardPlace(gatewayId), [id]))
        return isTask(task) ? safely(Effect.flatMap(sources.card(task), (entry) => ask("put", [entry]))) : Effect.void
      }
      case "memory.changed":
      case "file.changed":
        // Only what this machine has is in the index.
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
    const agents = [...stale]
    stale.clear()
    for (const agent of agents) yield* safely(sources.knowledge(ask, agent))
    if (isLogStale) {
      isLogStale = false
      yield* safely(sources.logEntries(ask))
    }
  })

  yield* PubSub.take(changes).pipe(Effect.flatMap(heed), Effect.forever, Effect.forkScoped)
  yield* refresh.pipe(Effect.forever, Effect.forkScoped)
})

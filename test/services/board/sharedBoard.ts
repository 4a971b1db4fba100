import { Context, Effect, Layer, PubSub, Redacted } from "effect"
import type { KanbanChange } from "../../../src/contract/schema/kanbanChange.ts"
import { Board } from "../../../src/services/board/Board.ts"
import { BoardStore } from "../../../src/services/board/store/BoardStore.ts"
import { PostgresBoard } from "../../../src/services/board/store/postgresBoard.ts"
import { EventBus } from "../../../src/services/platform/events/EventBus.ts"

/** One console's view of a board in PostgreSQL, with every event since it was opened. */
export const sharedBoard = Effect.fnUntraced(function* (url: string, name = "first", gateway = "here:18789") {
  const self = { device: name, owner: `${name}:1`, name, gateway }
  const context = yield* Layer.build(
    Board.layer.pipe(
      Layer.provideMerge(PostgresBoard({ url: Redacted.make(url), self })),
      Layer.provideMerge(EventBus.layer)
    )
  )
  const told: Array<KanbanChange> = []
  const bus = Context.get(context, EventBus)
  const events = yield* bus.subscribe
  yield* PubSub.take(events).pipe(
    Effect.map((event) => event.event === "kanban.changed" && told.push(event.data)),
    Effect.forever,
    Effect.forkScoped
  )
  return { board: Context.get(context, Board), store: Context.get(context, BoardStore), bus, told }
})

/** Asks until it's so; a board that never gets there fails the test by its time limit. */
export const eventually = (isSo: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (isSo() ? Effect.void : Effect.andThen(Effect.sleep("20 millis"), eventually(isSo))))

/** Asks again until it works. */
export const atLast = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A> =>
  Effect.catch(effect, () => Effect.andThen(Effect.sleep("100 millis"), atLast(effect)))

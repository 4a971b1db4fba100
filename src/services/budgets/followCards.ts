import { Effect, PubSub } from "effect"
import type { BoardShape } from "../board/BoardShape.ts"
import type { EventBusShape } from "../platform/events/EventBus.ts"
import type { BudgetBook } from "./BudgetBook.ts"

/** Keeps the titles of cards that have a budget, by which the inbox calls it. */
export const followCards = Effect.fnUntraced(function* (book: BudgetBook, board: BoardShape, bus: EventBusShape) {
  const cards = () =>
    new Set([...book.pages().budgets.values()].flatMap(({ scope }) => (scope.kind === "task" ? [scope.taskId] : [])))
  const events = yield* bus.subscribe
  const read = Effect.forEach(
    cards(),
    (id) => Effect.ignore(Effect.map(board.get(id), ({ title }) => book.called(id, title))),
    { discard: true }
  )
  const follow = Effect.map(PubSub.take(events), ({ data, event }) => {
    if (event === "kanban.changed" && data.task !== undefined && cards().has(data.id))
      book.called(data.id, data.task.title)
  })
  yield* Effect.forkScoped(Effect.andThen(read, Effect.forever(follow)))
})

import { randomUUID } from "node:crypto"
import { Clock, Effect, Result } from "effect"
import { Board } from "../../../src/services/board/Board.ts"
import { saveBudget } from "../../../src/services/budgets/budgetTable.ts"
import { newBudget } from "../../../src/services/budgets/StoredBudget.ts"
import { Sqlite } from "../../../src/services/platform/sqlite/Sqlite.ts"

/** What starts the work; a rule of the agent knows it. */
const TITLE = "Copy the lighthouse's logbook"
const DOLLARS = 0.2

/** Puts a card on the board whose budget is used up while one watches its run. */
export const seedBudget = Effect.fn("seedBudget")(function* () {
  const board = yield* Board
  const sqlite = yield* Sqlite
  const now = yield* Clock.currentTimeMillis
  const { id: taskId } = yield* board.create({
    title: TITLE,
    description:
      "It has a budget of $0.20. Press **Run with main** and watch: after some pages the budget is used up, and the work pauses and asks you how to go on.",
    status: "todo",
    labels: ["budget"],
    assignee: "agent:main",
    model: "demo/scholar"
  })
  const budget = newBudget(
    randomUUID(),
    { scope: { kind: "task", taskId }, period: "total", limit: { usd: DOLLARS } },
    now
  )
  yield* sqlite.transaction((db) => Result.succeed(saveBudget(db, budget)))
})

import { Effect, Schema } from "effect"
import { Tool, Toolkit } from "effect/ai"
import { Budget } from "../../contract/schema/budget.ts"
import { filledText } from "../../contract/schema/fields.ts"
import { Board } from "../../services/board/Board.ts"
import { Budgets } from "../../services/budgets/Budgets.ts"
import { Caller } from "./Caller.ts"
import { explain, notPossible, ToolFailure } from "./toolFailure.ts"

const { limit, period, resetsAt, spent, state } = Budget.fields

/** What a budget leaves, as an agent needs it. */
const Left = Schema.Struct({ period, limit, spent, left: Schema.Struct(limit.fields), state, resetsAt })

export const GetBudget = Tool.make("get_budget", {
  failure: ToolFailure,
  dependencies: [Caller],
  description:
    "See what is left of the budgets of a task that is assigned to you: dollars, minutes of running turns, and responses. When one is used up, the work pauses and a person decides. Only people change budgets.",
  parameters: Schema.Struct({ taskId: filledText(200) }),
  success: Schema.Struct({ budgets: Schema.Array(Left), help: Schema.String })
})
  .annotate(Tool.Readonly, true)
  .annotate(Tool.Destructive, false)

/** Budgets as a tool, for reading only. */
export const BudgetTools = Toolkit.make(GetBudget)

const leftOf = ({ extra, limit: most, spent: used }: Budget) => {
  const left = (of: "usd" | "minutes" | "turns") => {
    const own = most[of]
    return own === undefined ? {} : { [of]: Math.max(0, own + (extra[of] ?? 0) - used[of]) }
  }
  return { ...left("usd"), ...left("minutes"), ...left("turns") }
}

export const BudgetToolHandlers = BudgetTools.toLayer(
  Effect.gen(function* () {
    const board = yield* Board
    const budgets = yield* Budgets
    return BudgetTools.of({
      get_budget: Effect.fn("get_budget")(function* ({ taskId }) {
        const { name } = yield* Caller
        const task = yield* board.get(taskId)
        if (task.assignee !== `agent:${name}`)
          return yield* Effect.fail(
            notPossible("This task isn't assigned to you: an agent sees its own task's budgets.")
          )
        const found = yield* budgets.ofTask(task)
        return {
          budgets: found.map((budget) => ({
            period: budget.period,
            limit: budget.limit,
            spent: budget.spent,
            left: leftOf(budget),
            state: budget.state,
            ...(budget.resetsAt === undefined ? {} : { resetsAt: budget.resetsAt })
          })),
          help:
            found.length === 0
              ? "No budget limits this task."
              : "Plan your work so that it fits into what is left, and say early if it doesn't."
        }
      }, explain)
    })
  })
)

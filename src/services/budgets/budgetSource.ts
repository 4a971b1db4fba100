import { Clock, Effect } from "effect"
import type { Budget, BudgetDecision } from "../../contract/schema/budget.ts"
import { alreadySettled, type InboxSource } from "../inbox/ItemStore.ts"
import { InvalidDecision } from "../inbox/inboxRules.ts"
import type { StoreError } from "../platform/sqlite/Sqlite.ts"
import type { BudgetBook } from "./BudgetBook.ts"
import type { BudgetNotFound, BudgetNotPaused, InvalidBudget } from "./budgetErrors.ts"
import { BUDGET_ORIGIN, budgetOfItem, STOP_ORIGIN } from "./budgetItems.ts"

type Resolve = (
  id: string,
  decision: BudgetDecision
) => Effect.Effect<Budget, BudgetNotFound | BudgetNotPaused | InvalidBudget | StoreError>

/** Executes what a person decides in the inbox about budgets. */
export const budgetSource = (book: BudgetBook, resolve: Resolve): InboxSource => {
  /** The pause that an item asked about is over. */
  const isOver = Effect.flatMap(Clock.currentTimeMillis, (at) =>
    Effect.fail(alreadySettled(() => ({ action: "ended", at, by: "console" })))
  )
  return {
    origins: [BUDGET_ORIGIN, STOP_ORIGIN],
    execute: ({ from, item }, { action, text }) =>
      Effect.suspend(() => {
        const id = budgetOfItem(from.source)
        const budget = book.pages().budgets.get(id)
        if (from.origin !== BUDGET_ORIGIN || !from.source.startsWith(`${id} pause `)) return Effect.void
        if (budget?.itemId !== item.id) return isOver
        return Effect.asVoid(resolve(id, { action, ...(text === undefined ? {} : { text }) })).pipe(
          Effect.catchTags({
            BudgetNotFound: () => isOver,
            BudgetNotPaused: () => isOver,
            InvalidBudget: ({ message, why }) =>
              Effect.fail(new InvalidDecision({ message, ...(why === undefined ? {} : { why }) }))
          })
        )
      }),
    reload: () => Effect.void
  }
}

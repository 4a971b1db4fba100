import type { BudgetScope } from "../../../src/contract/schema/budget.ts"
import type { AppServices } from "../base/AppContext.ts"
import { budgetRequest } from "../base/budgetRequest.ts"
import { budgetsStore } from "../core/budgets/BudgetsStore.ts"
import { budgetsOf } from "../core/budgets/budgetRules.ts"

/** Asks for the limit of some work: the one that it has, or a new one. */
export const askLimit = ({ client }: Pick<AppServices, "client">, scope: BudgetScope): void => {
  const { value } = budgetsStore(client).list.state.get()
  const [budget] = budgetsOf(value?.budgets ?? [], scope)
  budgetRequest.set(budget === undefined ? { kind: "new", scope } : { kind: "edit", budget })
}

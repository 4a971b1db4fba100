import type { Budget, BudgetScope } from "../../../src/contract/schema/budget.ts"
import { createObservable } from "../core/common/Observable.ts"

/** What to ask a person about budgets; drawn by its own chunk over every screen. */
export type BudgetRequest =
  /** Whether to stop everything. */
  | { readonly kind: "stop" }
  /** A new budget, for something that is known already or to be chosen. */
  | { readonly kind: "new"; readonly scope: BudgetScope | null }
  | { readonly kind: "edit"; readonly budget: Budget }

/** The request that is open; null for none. */
export const budgetRequest = createObservable<BudgetRequest | null>(null)

import type { BudgetScope } from "../../../src/contract/schema/budget.ts"
import type { AppServices } from "../base/AppContext.ts"
import { budgetsStore } from "../core/budgets/BudgetsStore.ts"
import { budgetIn, newBudgetForm } from "../core/budgets/budgetForm.ts"
import { ownZone } from "../core/common/dateText.ts"
import { say } from "../core/language/say.ts"

const WITHOUT_LIMIT = {
  task: (reason: string) => say("The card has no limit. {reason}", { reason }),
  job: (reason: string) => say("The job has no limit. {reason}", { reason })
}

/** Limits what a new card or job may cost, and says so if that fails: it's there then, without a limit. */
export const setLimit = async (
  { client, notices }: Pick<AppServices, "client" | "notices">,
  scope: Extract<BudgetScope, { readonly kind: "task" | "job" }>,
  usd: number
): Promise<void> => {
  const read = budgetIn({ ...newBudgetForm(scope), usd: String(usd) }, ownZone())
  const done = read.ok ? await budgetsStore(client).create(read.value) : read
  if (!done.ok) notices.show("error", WITHOUT_LIMIT[scope.kind](done.message))
}

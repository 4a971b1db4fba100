import type { AppServices } from "../base/AppContext.ts"
import { budgetsStore } from "../core/budgets/BudgetsStore.ts"
import { budgetIn, newBudgetForm } from "../core/budgets/budgetForm.ts"
import { ownZone } from "../core/common/dateText.ts"
import { say } from "../core/language/say.ts"

/** Limits what a new card may cost, and says so if that fails: the card is there then, without a limit. */
export const setLimit = async (
  { client, notices }: Pick<AppServices, "client" | "notices">,
  taskId: string,
  usd: number
): Promise<void> => {
  const read = budgetIn({ ...newBudgetForm({ kind: "task", taskId }), usd: String(usd) }, ownZone())
  const done = read.ok ? await budgetsStore(client).create(read.value) : read
  if (!done.ok) notices.show("error", say("The card has no limit. {reason}", { reason: done.message }))
}

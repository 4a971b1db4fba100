import { failure } from "../../../contract/failures.ts"
import type { BudgetList } from "../../../contract/schema/budget.ts"
import { type Finding, ok, warning } from "./doctorCheck.ts"

/** Whether agents may work, as far as that's up to budgets and the stop of everything. */
export const budgetsFinding = ({ budgets, stop }: BudgetList): Finding => {
  if (stop.active) return warning(failure("WORK_IS_STOPPED"), failure("END_THE_STOP"))
  const all = budgets.length
  if (all === 0) return ok(failure("BUDGETS_NONE"))
  const count = budgets.filter(({ state }) => state === "paused").length
  return count === 0
    ? ok(failure("BUDGETS_LEFT", { count: all, all }))
    : warning(failure("BUDGETS_USED_UP", { count, all }), failure("DECIDE_ON_BUDGETS"))
}

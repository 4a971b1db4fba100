import { component$ } from "@builder.io/qwik"
import { budgetRequest } from "../base/budgetRequest.ts"
import { useReadable } from "../base/useReadable.ts"
import { scopeKey } from "../core/budgets/budgetRules.ts"
import { BudgetDialog } from "./BudgetDialog.tsx"
import { StopDialog } from "./StopDialog.tsx"

/** The dialog that is asked for, over every screen. */
export const BudgetRequests = component$(() => {
  const asked = useReadable(budgetRequest)
  const request = asked.value
  if (request === null) return null
  if (request.kind === "stop") return <StopDialog />
  // A dialog's properties outlive the request, whose fields don't.
  if (request.kind === "edit") {
    const { budget } = request
    const { id } = budget
    return <BudgetDialog key={id} budget={budget} scope={null} />
  }
  const { scope } = request
  return <BudgetDialog key={scope === null ? "" : scopeKey(scope)} budget={null} scope={scope} />
})

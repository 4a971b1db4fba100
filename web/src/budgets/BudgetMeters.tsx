import type { Budget } from "../../../src/contract/schema/budget.ts"
import { type Allowance, allowancesOf, shareOf } from "../core/budgets/budgetRules.ts"
import { spentText, UNIT_LABELS } from "../core/budgets/budgetText.ts"
import "../ui/meter.css"

const tone = (budget: Budget, part: Allowance): string =>
  shareOf(part) >= 1 ? "is-bad" : shareOf(part) >= budget.warnAt ? "is-warning" : ""

/** What is spent of each unit that a budget limits, as a bar with its numbers. */
export const BudgetMeters = (props: { readonly budget: Budget }) => {
  const { budget } = props
  return (
    <div class="stack gap-1">
      {allowancesOf(budget).map((part) => (
        <div key={part.unit}>
          <p class="small tabular">{spentText(part)}</p>
          <meter
            class={["meter", tone(budget, part)]}
            min={0}
            max={part.allowed}
            value={Math.min(part.spent, part.allowed)}
            aria-label={UNIT_LABELS[part.unit]}
          >
            {spentText(part)}
          </meter>
        </div>
      ))}
    </div>
  )
}

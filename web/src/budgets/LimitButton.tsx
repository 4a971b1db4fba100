import { component$, useConstant } from "@builder.io/qwik"
import type { BudgetScope } from "../../../src/contract/schema/budget.ts"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { budgetsStore } from "../core/budgets/BudgetsStore.ts"
import { budgetsOf } from "../core/budgets/budgetRules.ts"
import { allSpentText } from "../core/budgets/budgetText.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { askLimit } from "./askLimit.ts"

/** Sets a limit for some work, or shows the one it has. */
export const LimitButton = component$<{ readonly scope: BudgetScope }>((props) => {
  const app = useServices()
  const state = useReadable(
    useConstant(() => budgetsStore(app.client).list.state),
    { perFrame: true }
  )
  const [budget] = budgetsOf(state.value.value?.budgets ?? [], props.scope)
  const text = budget === undefined ? say("Set a limit…") : say("Limit: {spent}", { spent: allSpentText(budget) })
  return (
    <button
      type="button"
      class="button is-small"
      data-limit={budget?.id ?? ""}
      onClick$={() => askLimit(app, props.scope)}
    >
      <Icon name="chart" />
      <span>{text}</span>
    </button>
  )
})

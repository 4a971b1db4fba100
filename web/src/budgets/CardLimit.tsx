import { component$, useConstant } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { budgetsStore } from "../core/budgets/BudgetsStore.ts"
import { budgetsOf, nearestOf } from "../core/budgets/budgetRules.ts"
import { spentText } from "../core/budgets/budgetText.ts"
import { say } from "../core/language/say.ts"
import "../ui/meter.css"
import "./budgets.css"

/** How much of its limit a card has spent; nothing for one without a limit. */
export const CardLimit = component$<{ readonly taskId: string }>((props) => {
  const app = useServices()
  const state = useReadable(
    useConstant(() => budgetsStore(app.client).list.state),
    { perFrame: true }
  )
  const { taskId } = props
  const [budget] = budgetsOf(state.value.value?.budgets ?? [], { kind: "task", taskId })
  const part = budget === undefined ? undefined : nearestOf(budget)
  if (budget === undefined || part === undefined) return null
  const text = spentText(part)
  const tone = budget.state === "ok" ? "" : budget.state === "warned" ? "is-warning" : "is-bad"
  return (
    <span class="row gap-1 tabular card-limit" data-card-limit={budget.id}>
      <meter
        class={["meter", tone]}
        min={0}
        max={part.allowed}
        value={part.spent}
        aria-label={say("Spent of its limit")}
      >
        {text}
      </meter>
      <span>{text}</span>
    </span>
  )
})

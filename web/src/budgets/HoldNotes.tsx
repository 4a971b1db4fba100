import { component$, useConstant } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { budgetsStore } from "../core/budgets/BudgetsStore.ts"
import { allSpentText, SCOPE_TEXTS } from "../core/budgets/budgetText.ts"
import { type HeldWork, holdsOf } from "../core/budgets/holds.ts"
import { say } from "../core/language/say.ts"
import { BudgetChoices } from "./BudgetChoices.tsx"
import "./budgets.css"

/** The budgets that hold some work, each with what can be decided about it; nothing while none does. */
export const HoldNotes = component$<{ readonly work: HeldWork }>((props) => {
  const app = useServices()
  const state = useReadable(
    useConstant(() => budgetsStore(app.client).list.state),
    { perFrame: true }
  )
  const held = holdsOf(state.value.value?.budgets ?? [], props.work)
  if (held.length === 0) return null
  return (
    <div class="reading-width stack gap-2 hold-notes">
      {held.map((budget) => {
        const { id, name, scope } = budget
        const spent = allSpentText(budget)
        const about = name ?? SCOPE_TEXTS[scope.kind]
        return (
          <section key={id} class="surface stack gap-2 budget is-paused" aria-label={say("Paused by a budget")}>
            <p class="small break-words" role="status">
              <strong>{say("Paused by a budget: {spent}.", { spent })}</strong> <span class="soft">{about}</span>
            </p>
            <BudgetChoices budget={budget} />
          </section>
        )
      })}
    </div>
  )
})

import { $, component$, type QRL, useConstant, useId, useSignal } from "@builder.io/qwik"
import { BUDGET_DECISIONS, type BudgetDecisionId } from "../../../src/contract/budget.ts"
import type { Budget } from "../../../src/contract/schema/budget.ts"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { budgetsStore } from "../core/budgets/BudgetsStore.ts"
import { amountIn } from "../core/budgets/budgetForm.ts"
import { raisedUnit } from "../core/budgets/budgetRules.ts"
import { amountText, DECISION_TEXTS, UNIT_LABELS } from "../core/budgets/budgetText.ts"
import { say } from "../core/language/say.ts"

interface RaiseFormProps {
  readonly budget: Budget
  readonly busy: boolean
  readonly onRaise$: QRL<(text: string) => unknown>
  readonly onCancel$: QRL<() => unknown>
}

/** Asks for the new limit. */
const RaiseForm = component$<RaiseFormProps>((props) => {
  const id = useId()
  const unit = raisedUnit(props.budget.limit)
  const field = useSignal<HTMLInputElement>()
  const problem = useSignal<string | null>(null)
  useBrowserTask$(() => field.value?.focus())
  const label = say("New limit: {unit}", { unit: UNIT_LABELS[unit] })
  const known = amountText(unit, props.budget.limit[unit] ?? 0)
  const raise = $(() => {
    const { budget } = props
    const unit = raisedUnit(budget.limit)
    const amount = amountIn(unit, field.value?.value ?? "")
    if (!amount.ok) {
      problem.value = amount.message
      return
    }
    if (amount.value + (budget.extra[unit] ?? 0) <= budget.spent[unit]) {
      problem.value = say("{spent} is spent already: choose more.", { spent: amountText(unit, budget.spent[unit]) })
      return
    }
    problem.value = null
    return props.onRaise$(String(amount.value))
  })
  return (
    <form class="stack gap-2" preventdefault:submit onSubmit$={raise} noValidate>
      <label for={id} class="small strong">
        {label}
      </label>
      <div class="row wrap gap-2">
        <input
          ref={field}
          id={id}
          class="field budget-raise"
          inputMode="decimal"
          autocomplete="off"
          maxLength={20}
          placeholder={known}
          aria-invalid={problem.value === null ? undefined : "true"}
          aria-describedby={`${id}-hint`}
        />
        <button type="submit" class="button is-small is-primary" disabled={props.busy}>
          {DECISION_TEXTS.raise}
        </button>
        <button type="button" class="button is-small" onClick$={() => props.onCancel$()}>
          {say("Cancel")}
        </button>
      </div>
      <p id={`${id}-hint`} class={["field-hint", problem.value !== null && "is-error"]} aria-live="polite">
        {problem.value ?? say("The limit was {limit}.", { limit: known })}
      </p>
    </form>
  )
})

/** What can be decided about a paused budget; nothing for any other. */
export const BudgetChoices = component$<{ readonly budget: Budget }>((props) => {
  const app = useServices()
  const store = useConstant(() => budgetsStore(app.client))
  const busy = useSignal(false)
  const isRaising = useSignal(false)
  const decide = $(async (action: BudgetDecisionId, text?: string) => {
    busy.value = true
    const done = await store.resolve(props.budget.id, action, text)
    busy.value = false
    if (done.ok) isRaising.value = false
    else app.notices.show("error", say("Couldn't decide that. {reason}", { reason: done.message }))
  })
  const { budget } = props
  if (budget.state !== "paused") return null
  if (isRaising.value)
    return (
      <RaiseForm
        budget={budget}
        busy={busy.value}
        onRaise$={(text: string) => decide("raise", text)}
        onCancel$={() => {
          isRaising.value = false
        }}
      />
    )
  return (
    <div class="row wrap gap-2" role="group" aria-label={say("How to go on")}>
      {BUDGET_DECISIONS[budget.action].map((action, index) => (
        <button
          key={action}
          type="button"
          class={["button is-small", index === 0 && "is-primary"]}
          disabled={busy.value}
          data-action={action}
          onClick$={() => {
            if (action === "raise") isRaising.value = true
            else return decide(action)
          }}
        >
          {action === "raise" ? `${DECISION_TEXTS.raise}…` : DECISION_TEXTS[action]}
        </button>
      ))}
    </div>
  )
})

import { component$, type Signal } from "@builder.io/qwik"
import { BUDGET_ACTIONS, BUDGET_PERIODS } from "../../../src/contract/budget.ts"
import { wordOf } from "../../../src/contract/looseFields.ts"
import { type BudgetFault, type BudgetForm, periodsOf } from "../core/budgets/budgetForm.ts"
import { BUDGET_UNITS } from "../core/budgets/budgetRules.ts"
import { ACTION_TEXTS, PERIOD_TEXTS, UNIT_LABELS } from "../core/budgets/budgetText.ts"
import { say } from "../core/language/say.ts"
import { Field } from "../ui/Field.tsx"
import { Select } from "../ui/Select.tsx"

const ACTION_OPTIONS = BUDGET_ACTIONS.map((action) => ({ value: action, label: ACTION_TEXTS[action] }))
const UNIT_PLACES = { usd: "5.00", minutes: "60", turns: "100" } as const

interface BudgetFieldsProps {
  readonly form: Signal<BudgetForm>
  readonly fault: BudgetFault | null
  readonly isNew: boolean
}

/** A budget's limit, period, and what happens before and at its limit. */
export const BudgetFields = component$<BudgetFieldsProps>((props) => {
  const { fault, form, isNew } = props
  const { action, kind, name, period, warnAt } = form.value
  const limitProblem = fault?.field === "limit" ? fault.message : null
  const warnProblem = fault?.field === "warnAt" ? fault.message : null
  const periods = periodsOf(kind).map((value) => ({ value, label: PERIOD_TEXTS[value] }))
  return (
    <>
      <fieldset class="bare stack gap-1 can-shrink budget-limit" aria-describedby="budget-limit-hint">
        <legend class="small strong">{say("Limit")}</legend>
        <div class="flex gap-3 budget-amounts">
          {BUDGET_UNITS.map((unit, index) => (
            <label key={unit} class="stack gap-1 grow small">
              <span>{UNIT_LABELS[unit]}</span>
              <input
                class="field"
                inputMode="decimal"
                autocomplete="off"
                maxLength={20}
                placeholder={UNIT_PLACES[unit]}
                data-unit={unit}
                data-field={index === 0 ? "limit" : undefined}
                data-autofocus={index === 0 ? "" : undefined}
                aria-invalid={limitProblem === null ? undefined : "true"}
                value={form.value[unit]}
                onInput$={(_, element) => {
                  form.value = { ...form.value, [unit]: element.value }
                }}
              />
            </label>
          ))}
        </div>
        <p
          id="budget-limit-hint"
          class={["field-hint", limitProblem !== null && "is-error"]}
          role={limitProblem === null ? undefined : "alert"}
        >
          {limitProblem ?? say("The first one that is used up counts. Leave empty what you don't limit.")}
        </p>
      </fieldset>
      {isNew && (
        <Field label={say("Period")} for="budget-period">
          <Select
            id="budget-period"
            value={period}
            options={periods}
            onChange$={(chosen) => {
              const next = wordOf(BUDGET_PERIODS, chosen)
              if (next !== null) form.value = { ...form.value, period: next }
            }}
          />
        </Field>
      )}
      <Field
        label={say("At the limit")}
        for="budget-action"
        hint={
          action === "ask"
            ? say("Its work pauses, and the inbox asks how to go on. A new period goes on by itself.")
            : say("Its work stops. A new period sends what waits, and nothing else goes on by itself.")
        }
      >
        <Select
          id="budget-action"
          value={action}
          options={ACTION_OPTIONS}
          describedBy="budget-action-hint"
          onChange$={(chosen) => {
            const next = wordOf(BUDGET_ACTIONS, chosen)
            if (next !== null) form.value = { ...form.value, action: next }
          }}
        />
      </Field>
      <Field label={say("Warn at (per cent)")} for="budget-warn" error={warnProblem}>
        <input
          id="budget-warn"
          class="field"
          inputMode="numeric"
          autocomplete="off"
          maxLength={5}
          data-field="warnAt"
          aria-invalid={warnProblem === null ? undefined : "true"}
          aria-describedby="budget-warn-hint"
          value={warnAt}
          onInput$={(_, element) => {
            form.value = { ...form.value, warnAt: element.value }
          }}
        />
      </Field>
      <Field label={say("Name (optional)")} for="budget-name">
        <input
          id="budget-name"
          class="field"
          autocomplete="off"
          maxLength={200}
          value={name}
          onInput$={(_, element) => {
            form.value = { ...form.value, name: element.value }
          }}
        />
      </Field>
    </>
  )
})

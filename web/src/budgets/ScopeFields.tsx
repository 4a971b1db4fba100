import { component$, type Signal, useSignal } from "@builder.io/qwik"
import { wordOf } from "../../../src/contract/looseFields.ts"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { type BudgetFault, type BudgetForm, withKind } from "../core/budgets/budgetForm.ts"
import { gatewayTargets, type Target, targetsOf } from "../core/budgets/budgetTargets.ts"
import { SCOPE_TEXTS } from "../core/budgets/budgetText.ts"
import { say } from "../core/language/say.ts"
import { Field } from "../ui/Field.tsx"
import { Select } from "../ui/Select.tsx"

const KINDS = ["all", "gateway", "agent", "task", "job", "session"] as const
const KIND_OPTIONS = KINDS.map((kind) => ({ value: kind, label: SCOPE_TEXTS[kind] }))

interface ScopeFieldsProps {
  readonly form: Signal<BudgetForm>
  readonly fault: BudgetFault | null
}

/** Chooses what a budget is for. */
export const ScopeFields = component$<ScopeFieldsProps>((props) => {
  const app = useServices()
  const { fault, form } = props
  const targets = useSignal<ReadonlyArray<Target> | null>(null)
  const gateways = gatewayTargets(app.client)
  const { gatewayId, kind, target } = form.value

  useBrowserTask$(async ({ track }) => {
    const now = track(() => `${form.value.kind} ${form.value.gatewayId}`)
    targets.value = null
    const found = await targetsOf(app.client, form.value.kind, form.value.gatewayId)
    if (now === `${form.value.kind} ${form.value.gatewayId}`) targets.value = found
  })

  const problem = fault?.field === "target" ? fault.message : null
  const kindName = SCOPE_TEXTS[kind]
  const isPlaced = kind === "agent" || kind === "job"
  const none = targets.value === null ? say("Loading…") : say("Choose…")
  const options = [{ value: "", label: none }, ...(targets.value ?? [])]
  return (
    <>
      <Field label={say("For")} for="budget-kind">
        <Select
          id="budget-kind"
          value={kind}
          options={KIND_OPTIONS}
          onChange$={(chosen) => {
            const next = wordOf(KINDS, chosen)
            if (next !== null) form.value = withKind(form.value, next)
          }}
        />
      </Field>
      {isPlaced && gateways.length > 1 && (
        <Field label={say("Gateway")} for="budget-gateway">
          <Select
            id="budget-gateway"
            value={gatewayId}
            options={gateways}
            onChange$={(chosen) => {
              form.value = { ...form.value, gatewayId: chosen, target: "" }
            }}
          />
        </Field>
      )}
      {kind !== "all" && (
        <Field
          label={kindName}
          for="budget-target"
          error={problem}
          hint={targets.value?.length === 0 ? say("There's none to choose.") : ""}
        >
          <Select
            id="budget-target"
            value={target}
            options={options}
            invalid={problem !== null}
            describedBy="budget-target-hint"
            onChange$={(chosen) => {
              form.value = { ...form.value, target: chosen }
            }}
          />
        </Field>
      )}
    </>
  )
})

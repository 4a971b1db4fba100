import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import type { Budget, BudgetScope } from "../../../src/contract/schema/budget.ts"
import { useServices } from "../base/AppContext.ts"
import { budgetRequest } from "../base/budgetRequest.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { budgetsStore, type SavedBudget } from "../core/budgets/BudgetsStore.ts"
import {
  type BudgetFault,
  type BudgetForm,
  budgetForm,
  budgetIn,
  newBudgetForm,
  patchIn
} from "../core/budgets/budgetForm.ts"
import { askScopeNames } from "../core/budgets/budgetTargets.ts"
import { allSpentText, PERIOD_TEXTS, type ScopeNames, scopeText } from "../core/budgets/budgetText.ts"
import { ownZone } from "../core/common/dateText.ts"
import { say } from "../core/language/say.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { Icon } from "../ui/Icon.tsx"
import { BudgetFields } from "./BudgetFields.tsx"
import { ScopeFields } from "./ScopeFields.tsx"

interface BudgetDialogProps {
  /** The one that is edited; null for a new one. */
  readonly budget: Budget | null
  /** What a new one is for; null if that is to be chosen. */
  readonly scope: BudgetScope | null
}

/** What keeps a form from being saved as a whole. */
interface Refused {
  readonly message: string
  /** The budget that is there already. */
  readonly other: Budget | null
}

const NO_NAMES: ScopeNames = new Map()

/** Creates or edits a budget. Another page's change isn't overwritten: the form then begins with the latest one. */
export const BudgetDialog = component$<BudgetDialogProps>((props) => {
  const app = useServices()
  const store = useConstant(() => budgetsStore(app.client))
  /** Follows what others change, after a refusal said so. */
  const current = useSignal<Budget | null>(props.budget)
  const form = useSignal<BudgetForm>(() =>
    props.budget === null ? newBudgetForm(props.scope) : budgetForm(props.budget)
  )
  const fault = useSignal<BudgetFault | null>(null)
  const refused = useSignal<Refused | null>(null)
  const saving = useSignal(false)
  const names = useSignal<ScopeNames>(NO_NAMES)
  const { budget, scope } = props
  const fixed = budget?.scope ?? scope

  useBrowserTask$(async () => {
    const about = props.budget?.scope ?? props.scope
    if (about !== null) names.value = await askScopeNames(app.client, [{ scope: about }])
  })

  const close = $(() => budgetRequest.set(null))
  const take = $(async (saved: SavedBudget) => {
    if (saved.ok) {
      app.notices.show("info", current.value === null ? say("The budget is set.") : say("The budget is saved."))
      return close()
    }
    if (saved.reason === "changed") {
      await store.list.refresh()
      const latest = store.list.state.get().value?.budgets.find(({ id }) => id === current.value?.id) ?? null
      if (latest !== null) current.value = latest
      refused.value = {
        message: say("Someone else changed this budget in the meantime. Look at your entries, then save again."),
        other: null
      }
      return
    }
    const message =
      saved.reason === "exists" ? say("There's already a budget for this with the same period.") : saved.message
    refused.value = { message, other: saved.other }
  })
  const save = $(async () => {
    const known = current.value
    const read = known === null ? budgetIn(form.value, ownZone()) : patchIn(form.value, known)
    fault.value = read.ok ? null : { field: read.field, message: read.message }
    refused.value = null
    if (!read.ok) {
      document.querySelector<HTMLElement>(`#budget-form [data-field="${read.field}"]`)?.focus()
      return
    }
    saving.value = true
    const saved =
      "scope" in read.value ? await store.create(read.value) : await store.change(known?.id ?? "", read.value)
    saving.value = false
    await take(saved)
  })
  const other = refused.value?.other ?? null

  return (
    <Dialog title={budget === null ? say("New budget") : say("Edit budget")} onClose$={close} keepOnBackdrop>
      <form id="budget-form" class="form-stack" preventdefault:submit onSubmit$={save} noValidate>
        {refused.value !== null && (
          <div class="stack justify-start gap-2" role="alert">
            <p class="form-problem">{refused.value.message}</p>
            {other !== null && (
              <button
                type="button"
                class="button is-small"
                onClick$={() => budgetRequest.set({ kind: "edit", budget: other })}
              >
                <Icon name="pencil" />
                <span>{say("Edit that one ({spent})", { spent: allSpentText(other) })}</span>
              </button>
            )}
          </div>
        )}
        {fixed !== null && (
          <p class="break-words">
            <strong>{scopeText(fixed, names.value)}</strong>
            {budget !== null && <span class="soft">{` · ${PERIOD_TEXTS[budget.period]}`}</span>}
          </p>
        )}
        {fixed === null && <ScopeFields form={form} fault={fault.value} />}
        <BudgetFields form={form} fault={fault.value} isNew={budget === null} />
      </form>
      <button q:slot="foot" type="button" class="button" onClick$={close}>
        {say("Cancel")}
      </button>
      <button q:slot="foot" type="submit" form="budget-form" class="button is-primary" disabled={saving.value}>
        {saving.value ? say("Saving…") : budget === null ? say("Set budget") : say("Save")}
      </button>
    </Dialog>
  )
})

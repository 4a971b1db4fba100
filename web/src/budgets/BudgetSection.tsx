import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import type { Budget } from "../../../src/contract/schema/budget.ts"
import { useServices } from "../base/AppContext.ts"
import { budgetRequest } from "../base/budgetRequest.ts"
import { pathSegment } from "../base/routes.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { budgetsStore } from "../core/budgets/BudgetsStore.ts"
import { inOrder, scopeKey } from "../core/budgets/budgetRules.ts"
import { askScopeNames } from "../core/budgets/budgetTargets.ts"
import {
  ACTION_TEXTS,
  allSpentText,
  PERIOD_TEXTS,
  paceText,
  renewalText,
  type ScopeNames,
  STATE_TEXTS,
  scopeText
} from "../core/budgets/budgetText.ts"
import { below } from "../core/common/basePath.ts"
import { say, sayCount } from "../core/language/say.ts"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Icon } from "../ui/Icon.tsx"
import { IconButton } from "../ui/IconButton.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { useNow } from "../ui/useNow.ts"
import { BudgetChoices } from "./BudgetChoices.tsx"
import { BudgetMeters } from "./BudgetMeters.tsx"
import "./budgets.css"

const TONES = { ok: "", warned: "is-warning", paused: "is-waiting" } as const

interface BudgetRowProps {
  readonly budget: Budget
  readonly names: ScopeNames
  readonly now: number
}

/** A budget: what is spent of what, how long that lasts, and what a person can do about it. */
const BudgetRow = component$<BudgetRowProps>((props) => {
  const app = useServices()
  const store = useConstant(() => budgetsStore(app.client))
  const isRemoving = useSignal(false)
  const { budget, names, now } = props
  const { action, id, itemId, name, period, scope, spent, state } = budget
  const about = scopeText(scope, names)
  const pace = paceText(budget, now)
  const facts = [...(name === undefined ? [] : [about]), PERIOD_TEXTS[period], ACTION_TEXTS[action]]
  const remove = $(async () => {
    const done = await store.remove(props.budget.id)
    isRemoving.value = false
    if (!done.ok) app.notices.show("error", say("Couldn't remove the budget. {reason}", { reason: done.message }))
  })
  return (
    <li class={["surface stack gap-2 budget", `is-${state}`]} data-budget={id}>
      <div class="row wrap gap-2">
        <h3 class="grow break-words">{name ?? about}</h3>
        {state !== "ok" && <span class={["badge", TONES[state]]}>{STATE_TEXTS[state]}</span>}
        <IconButton
          icon="pencil"
          label={say("Edit the budget {name}", { name: name ?? about })}
          title={say("Edit")}
          onClick$={() => budgetRequest.set({ kind: "edit", budget: props.budget })}
        />
        <IconButton
          icon="trash"
          label={say("Remove the budget {name}", { name: name ?? about })}
          title={say("Remove")}
          onClick$={() => {
            isRemoving.value = true
          }}
        />
      </div>
      <p class="soft small break-words">{facts.join(" · ")}</p>
      <BudgetMeters budget={budget} />
      <p class="soft small">{[pace, renewalText(budget, now)].filter((text) => text !== null).join(" ")}</p>
      {spent.unpriced > 0 && (
        <p class="soft small">
          {sayCount(
            spent.unpriced,
            "{count} response without a price isn't in the dollars.",
            "{count} responses without a price aren't in the dollars."
          )}
        </p>
      )}
      {state === "paused" && (
        <p class="small">
          <span>{say("Its work is paused, and nothing starts that counts for it.")}</span>
          {itemId !== undefined && (
            <>
              {" "}
              <a href={below(`/inbox/${pathSegment(itemId)}`)}>{say("See it in the inbox")}</a>
            </>
          )}
        </p>
      )}
      <BudgetChoices budget={budget} />
      {isRemoving.value && (
        <ConfirmDialog
          title={say("Remove this budget?")}
          confirmLabel={say("Remove")}
          danger
          onConfirm$={remove}
          onCancel$={() => {
            isRemoving.value = false
          }}
        >
          <p class="break-words">
            {say("{name}: {spent} spent.", { name: name ?? about, spent: allSpentText(budget) })}
          </p>
          {state === "paused" && <p>{say("What only this budget holds goes on then.")}</p>}
        </ConfirmDialog>
      )}
    </li>
  )
})

const NO_NAMES: ScopeNames = new Map()

/** All budgets, those that need a person first. */
export const BudgetSection = component$(() => {
  const app = useServices()
  const store = useConstant(() => budgetsStore(app.client))
  const state = useReadable(store.list.state, { perFrame: true })
  const now = useNow(30_000)
  const names = useSignal<ScopeNames>(NO_NAMES)
  const { problem, value } = state.value

  useBrowserTask$(({ cleanup }) => cleanup(store.list.open()))
  useBrowserTask$(async ({ track }) => {
    const keys = track(() => (state.value.value?.budgets ?? []).map(({ scope }) => scopeKey(scope)).join("\n"))
    if (keys !== "") names.value = await askScopeNames(app.client, state.value.value?.budgets ?? [])
  })

  const add = $(() => budgetRequest.set({ kind: "new", scope: null }))
  const retry = $(() => store.list.refresh())
  return (
    <section class="stack gap-3" aria-labelledby="budgets-title">
      <div class="row wrap space-between place-head">
        <h2 id="budgets-title" class="place-second">
          {say("Budgets")}
        </h2>
        <button type="button" class="button is-small" onClick$={add}>
          <Icon name="plus" />
          <span>{say("New budget")}</span>
        </button>
      </div>
      {value === null && problem === null && <LoadingState label={say("Loading budgets…")} />}
      {value === null && problem !== null && (
        <ErrorState title={say("Couldn't load the budgets")} text={problem} onRetry$={retry} />
      )}
      {value !== null && value.budgets.length === 0 && (
        <p class="place-text">
          {say(
            "No budgets yet. A budget pauses work at its limit and asks you how to go on, instead of sending you the bill."
          )}
        </p>
      )}
      {value !== null && value.budgets.length > 0 && (
        <ul class="plain-list stack gap-4 usage-pair">
          {inOrder(value.budgets).map((budget) => {
            const { id } = budget
            return <BudgetRow key={id} budget={budget} names={names.value} now={now.value} />
          })}
        </ul>
      )}
    </section>
  )
})

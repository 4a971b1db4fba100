import { BUDGET_DECISIONS } from "../../contract/budget.ts"
import { detailOf, type Failure } from "../../contract/failure.ts"
import { failure } from "../../contract/failures.ts"
import { headline } from "../inbox/inboxRules.ts"
import type { ItemDraft, ItemKey } from "../inbox/inboxTable.ts"
import { spentWords } from "./amounts.ts"
import type { HeldSession } from "./heldSession.ts"
import type { StoredBudget } from "./StoredBudget.ts"
import { gatewayOfScope, scopeValues, scopeWords } from "./workScope.ts"

/** The origin of the items about budgets. */
export const BUDGET_ORIGIN = "budget"
/** The origin of the items about sessions that can't be stopped. */
export const STOP_ORIGIN = "budget-stop"

const keyOf = (budget: StoredBudget, source: string): ItemKey => ({
  gatewayId: gatewayOfScope(budget.scope),
  origin: BUDGET_ORIGIN,
  source: `${budget.id} ${source}`
})

/** The keys of a budget's items: about its last pause, and of this period the warning and the responses without a price. */
export const pauseKey = (budget: StoredBudget): ItemKey => keyOf(budget, `pause ${budget.pauses}`)
export const warnKey = (budget: StoredBudget): ItemKey => keyOf(budget, `warning ${budget.periodStart}`)
export const unpricedKey = (budget: StoredBudget): ItemKey => keyOf(budget, `unpriced ${budget.periodStart}`)

const about = (budget: StoredBudget, key: ItemKey, createdAt: number) => ({
  ...key,
  kind: "budget" as const,
  ...(budget.scope.kind === "task" ? { taskId: budget.scope.taskId } : {}),
  ...(budget.scope.kind === "session" ? { sessionKey: budget.scope.sessionKey } : {}),
  createdAt
})

const endsByClock = ({ period }: StoredBudget): boolean => period !== "total" && period !== "run"

const nameOf = ({ name, scope }: StoredBudget): string => name ?? `Budget of ${scopeWords(scope)}`

/** The budget that an item is about, from its key. */
export const budgetOfItem = (source: string): string => source.split(" ", 1)[0] ?? ""

/** The item that asks how a paused budget goes on. */
export const pauseDraft = (budget: StoredBudget, at: number): ItemDraft => ({
  ...about(budget, pauseKey(budget), at),
  title: headline(`${spentWords(budget)}: ${nameOf(budget)}`),
  ...detailOf(failure(endsByClock(budget) ? "BUDGET_HOLDS_PERIOD" : "BUDGET_HOLDS", scopeValues(budget.scope))),
  offers: BUDGET_DECISIONS[budget.action]
})

/** The item that warns before the limit. */
export const warnDraft = (budget: StoredBudget, at: number): ItemDraft => ({
  ...about(budget, warnKey(budget), at),
  title: headline(`${spentWords(budget)}: ${nameOf(budget)}`),
  ...detailOf(failure("BUDGET_NEARLY_USED_UP", scopeValues(budget.scope))),
  offers: ["dismiss"]
})

/** The item about responses that a budget of dollars alone can't count. */
export const unpricedDraft = (budget: StoredBudget, at: number): ItemDraft => ({
  ...about(budget, unpricedKey(budget), at),
  title: headline(`Responses without a price: ${nameOf(budget)}`),
  ...detailOf(failure("BUDGET_UNPRICED")),
  offers: ["dismiss"]
})

type UnstoppedSession = Pick<HeldSession, "gatewayId" | "sessionKey" | "since">

export const unstoppedKey = ({ gatewayId, sessionKey, since }: UnstoppedSession): ItemKey => ({
  gatewayId,
  origin: STOP_ORIGIN,
  source: `${sessionKey} ${since}`
})

/** The item about a session that the gateway doesn't stop. */
export const unstoppedDraft = (session: UnstoppedSession, why: Failure, at: number): ItemDraft => ({
  ...unstoppedKey(session),
  kind: "failed",
  title: headline(`Couldn't stop ${session.sessionKey}`),
  ...detailOf(why),
  sessionKey: session.sessionKey,
  createdAt: at,
  offers: ["dismiss"]
})

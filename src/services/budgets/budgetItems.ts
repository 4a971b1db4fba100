import { BUDGET_DECISIONS } from "../../contract/budget.ts"
import { detailOf, type Failure } from "../../contract/failure.ts"
import { failure } from "../../contract/failures.ts"
import { headline } from "../inbox/inboxRules.ts"
import type { ItemDraft, ItemKey } from "../inbox/inboxTable.ts"
import { optionalEntry } from "../platform/optionalEntry.ts"
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

/** Card titles that are longer are cut, so that the whole name of the budget has its place in a title. */
const MAX_CARD_TITLE = 100

/** A budget with the title of the card that it's for, if that's known. */
export interface TitledBudget {
  readonly budget: StoredBudget
  readonly cardTitle: string | undefined
}

const valuesOf = ({ budget, cardTitle }: TitledBudget) =>
  scopeValues(budget.scope, cardTitle === undefined ? undefined : headline(cardTitle, MAX_CARD_TITLE))

const nameOf = (titled: TitledBudget): string => titled.budget.name ?? `Budget of ${scopeWords(valuesOf(titled))}`

/** The budget that an item is about, from its key. */
export const budgetOfItem = (source: string): string => source.split(" ", 1)[0] ?? ""

const titleOf = (titled: TitledBudget): string => headline(`${spentWords(titled.budget)}: ${nameOf(titled)}`)

/** The item that asks how a paused budget goes on. */
export const pauseDraft = (titled: TitledBudget, at: number): ItemDraft => ({
  ...about(titled.budget, pauseKey(titled.budget), at),
  title: titleOf(titled),
  ...detailOf(failure(endsByClock(titled.budget) ? "BUDGET_HOLDS_PERIOD" : "BUDGET_HOLDS", valuesOf(titled))),
  offers: BUDGET_DECISIONS[titled.budget.action]
})

/** The item that warns before the limit. */
export const warnDraft = (titled: TitledBudget, at: number): ItemDraft => ({
  ...about(titled.budget, warnKey(titled.budget), at),
  title: titleOf(titled),
  ...detailOf(failure("BUDGET_NEARLY_USED_UP", valuesOf(titled))),
  offers: ["dismiss"]
})

/** The item about responses that a budget of dollars alone can't count. */
export const unpricedDraft = (titled: TitledBudget, at: number): ItemDraft => ({
  ...about(titled.budget, unpricedKey(titled.budget), at),
  title: headline(`Responses without a price: ${nameOf(titled)}`),
  ...detailOf(failure("BUDGET_UNPRICED")),
  offers: ["dismiss"]
})

type UnstoppedSession = Pick<HeldSession, "gatewayId" | "sessionKey" | "since">

export const unstoppedKey = ({ gatewayId, sessionKey, since }: UnstoppedSession): ItemKey => ({
  gatewayId,
  origin: STOP_ORIGIN,
  source: `${sessionKey} ${since}`
})

const UNSTOPPED = failure("SESSION_NOT_STOPPED")

/** The item about a session that the gateway doesn't stop. */
export const unstoppedDraft = (session: UnstoppedSession, why: Failure, at: number): ItemDraft => ({
  ...unstoppedKey(session),
  kind: "failed",
  title: UNSTOPPED.message,
  ...optionalEntry("titleWhy", UNSTOPPED.why),
  ...detailOf(why),
  sessionKey: session.sessionKey,
  createdAt: at,
  offers: ["dismiss"]
})

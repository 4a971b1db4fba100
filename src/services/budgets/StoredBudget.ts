import { type BudgetAction, type BudgetPeriod, type BudgetState, DEFAULT_WARN_AT } from "../../contract/budget.ts"
import type { Budget, BudgetLimit, BudgetScope, NewBudget } from "../../contract/schema/budget.ts"
import { optionalEntry } from "../platform/optionalEntry.ts"
import { ownZone } from "../platform/ownZone.ts"
import { type Amounts, added, extraShown, hasReached, NOTHING, type Spent, spentShown, UNSPENT } from "./amounts.ts"
import { type Period, periodAt } from "./periods.ts"
import { namedScope } from "./workScope.ts"

/** A budget as it's kept. */
export interface StoredBudget {
  readonly id: string
  readonly name?: string | undefined
  readonly scope: BudgetScope
  readonly period: BudgetPeriod
  readonly limit: BudgetLimit
  readonly warnAt: number
  readonly action: BudgetAction
  readonly zone: string
  readonly createdAt: number
  readonly version: number
  /** The begin of this period, in epoch milliseconds. */
  readonly periodStart: number
  /** Of a card's `run` period: the session of that run. */
  readonly runRoot?: string | undefined
  /** What ended turns and responses took in this period. */
  readonly spent: Spent
  readonly extra: Amounts
  /** When it paused its work; `undefined` while it doesn't. */
  readonly pausedAt?: number | undefined
  /** How often it has paused. */
  readonly pauses: number
  /** The inbox item about the pause. */
  readonly itemId?: string | undefined
  /** The stopped sessions were asked to sum up. */
  readonly isFinishing: boolean
  /** Whether the person was warned in this period, and told about responses without a price. */
  readonly isWarned: boolean
  readonly isUnpricedTold: boolean
}

/** What begins anew with each period. */
const FRESH = {
  spent: UNSPENT,
  extra: NOTHING,
  isWarned: false,
  isUnpricedTold: false
} as const

/** A budget of which nothing is spent yet. */
export const newBudget = (id: string, input: NewBudget, now: number): StoredBudget => {
  const { action = "ask", limit, name, period, warnAt = DEFAULT_WARN_AT, zone = ownZone() } = input
  return {
    id,
    ...optionalEntry("name", name?.trim() || undefined),
    scope: namedScope(input.scope),
    period,
    limit,
    warnAt,
    action,
    zone,
    createdAt: now,
    version: 1,
    periodStart: periodAt(period, zone, now).start,
    ...FRESH,
    pauses: 0,
    isFinishing: false
  }
}

/** The budget in a period that begins with this, of which so much was spent already. */
export const inPeriod = (budget: StoredBudget, start: number, spent: Spent = UNSPENT): StoredBudget => ({
  ...budget,
  ...FRESH,
  spent,
  periodStart: start
})

/** The period of this moment by the calendar; a run's and the whole one go on. */
export const currentPeriod = ({ period, periodStart, zone }: StoredBudget, now: number): Period =>
  period === "run" || period === "total" ? { start: periodStart, end: undefined } : periodAt(period, zone, now)

/** The budget with what running turns have taken of its minutes so far. */
export const withRunning = (budget: StoredBudget, runningMs: number): StoredBudget =>
  runningMs === 0 ? budget : { ...budget, spent: added(budget.spent, { ms: runningMs }) }

export const stateOf = (budget: StoredBudget): BudgetState => {
  if (budget.pausedAt !== undefined) return "paused"
  return hasReached(budget, budget.warnAt) ? "warned" : "ok"
}

/** A budget as the API shows it. */
export const budgetShown = (budget: StoredBudget, end: number | undefined): Budget => {
  const { action, createdAt, extra, id, itemId, limit, name, period, scope, spent, version, warnAt, zone } = budget
  return {
    id,
    ...optionalEntry("name", name),
    scope,
    period,
    limit,
    warnAt,
    action,
    zone,
    createdAt,
    version,
    spent: spentShown(spent),
    extra: extraShown(extra),
    state: stateOf(budget),
    ...optionalEntry("resetsAt", end),
    ...(budget.pausedAt === undefined ? {} : optionalEntry("itemId", itemId))
  }
}

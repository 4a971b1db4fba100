import { PRIMARY, qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import type { Budget, BudgetScope } from "../../../../src/contract/schema/budget.ts"

/** What a budget can limit, in the order of its fields. */
export const BUDGET_UNITS = ["usd", "minutes", "turns"] as const
export type BudgetUnit = (typeof BUDGET_UNITS)[number]

/** One limited unit of a budget. */
export interface Allowance {
  readonly unit: BudgetUnit
  readonly spent: number
  /** The limit, and what was granted beyond it. */
  readonly allowed: number
}

/** A limit as answers have it: each unit may be absent. */
type Limit = Budget["limit"]

export const allowancesOf = ({ extra, limit, spent }: Pick<Budget, "extra" | "limit" | "spent">) =>
  BUDGET_UNITS.flatMap((unit): ReadonlyArray<Allowance> => {
    const base = limit[unit]
    return base === undefined ? [] : [{ unit, spent: spent[unit], allowed: base + (extra[unit] ?? 0) }]
  })

export const shareOf = ({ allowed, spent }: Allowance): number => spent / allowed

/** The unit of which the largest part is spent; every budget has one. */
export const nearestOf = (budget: Pick<Budget, "extra" | "limit" | "spent">): Allowance | undefined =>
  allowancesOf(budget).toSorted((a, b) => shareOf(b) - shareOf(a))[0]

/** The unit that `raise` changes: the first one of the limit. */
export const raisedUnit = (limit: Limit): BudgetUnit => BUDGET_UNITS.find((unit) => limit[unit] !== undefined) ?? "usd"

const DAY = 86_400_000

/** When the period that ends at `resetsAt` began; null where nobody can say. A change of the clocks moves it by an hour. */
export const periodStart = ({ period, resetsAt }: Pick<Budget, "period" | "resetsAt">): number | null => {
  if (resetsAt === undefined) return null
  if (period === "day") return resetsAt - DAY
  if (period === "week") return resetsAt - 7 * DAY
  // In every time zone, a day and a half before a month begins is in the month before.
  const before = new Date(resetsAt - 1.5 * DAY)
  return resetsAt - new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth() + 1, 0)).getUTCDate() * DAY
}

/** What a few minutes cost says nothing about a day. */
const MIN_SPAN = 10 * 60_000

/**
 * When a budget is used up if as much is spent as since its period began: a time, `lasts` where the period ends before,
 * or null where that can't be said.
 */
export const usedUpAt = (budget: Budget, now: number): number | "lasts" | null => {
  const from = periodStart(budget)
  const { resetsAt, state } = budget
  if (from === null || resetsAt === undefined || state === "paused" || now - from < MIN_SPAN || now >= resetsAt)
    return null
  const nearest = nearestOf(budget)
  if (nearest === undefined || nearest.spent === 0) return null
  const at = from + ((now - from) * nearest.allowed) / nearest.spent
  return at >= resetsAt ? "lasts" : Math.max(at, now)
}

/** What tells two scopes apart. */
export const scopeKey = (scope: BudgetScope): string => {
  switch (scope.kind) {
    case "all":
      return "all"
    case "gateway":
      return `gateway ${scope.gatewayId}`
    case "agent":
      return `agent ${scope.gatewayId ?? PRIMARY} ${scope.agentId}`
    case "task":
      return `task ${scope.taskId}`
    case "job":
      return `job ${scope.gatewayId ?? PRIMARY} ${scope.jobId}`
    case "session":
      return `session ${qualifiedKey(scope.gatewayId ?? PRIMARY, scope.sessionKey)}`
  }
}

/** The budgets of exactly this scope. */
export const budgetsOf = (budgets: ReadonlyArray<Budget>, scope: BudgetScope): ReadonlyArray<Budget> => {
  const key = scopeKey(scope)
  return budgets.filter((budget) => scopeKey(budget.scope) === key)
}

const URGENCY: Readonly<Record<Budget["state"], number>> = { paused: 0, warned: 1, ok: 2 }

/** What needs a person first, otherwise as they came. */
export const inOrder = (budgets: ReadonlyArray<Budget>): ReadonlyArray<Budget> =>
  budgets.toSorted((a, b) => URGENCY[a.state] - URGENCY[b.state])

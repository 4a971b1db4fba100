/** How long a budget counts before it begins anew; `run` is for one card, job or session. */
export const BUDGET_PERIODS = ["day", "week", "month", "total", "run"] as const
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number]

export const BUDGET_STATES = ["ok", "warned", "paused"] as const
export type BudgetState = (typeof BUDGET_STATES)[number]

/** At its limit a budget pauses its work: `ask` lets a person decide what happens next, `stop` goes on only on demand. */
export const BUDGET_ACTIONS = ["ask", "stop"] as const
export type BudgetAction = (typeof BUDGET_ACTIONS)[number]

/** What a person can decide about a paused budget, by its action. */
export const BUDGET_DECISIONS = {
  ask: ["again", "raise", "finish", "keep"],
  stop: ["again", "raise", "dismiss"]
} as const
export type BudgetDecisionId = (typeof BUDGET_DECISIONS)[BudgetAction][number]

export const MAX_BUDGETS = 200

/** Bounds of a limit. */
export const MAX_USD = 1_000_000
export const MAX_MINUTES = 525_600
export const MAX_TURNS = 100_000

export const DEFAULT_WARN_AT = 0.8

import type { Budget } from "../../../src/contract/schema/budget.ts"

/** A budget of five dollars a day, of which one is spent. */
export const makeBudget = (more: Partial<Budget> = {}): Budget => ({
  id: "b1",
  scope: { kind: "all" },
  period: "day",
  limit: { usd: 5 },
  warnAt: 0.8,
  action: "ask",
  zone: "UTC",
  createdAt: Date.parse("2026-11-27T00:00:00Z"),
  version: 1,
  spent: { usd: 1, minutes: 3, turns: 7, unpriced: 0 },
  extra: {},
  state: "ok",
  resetsAt: Date.parse("2026-11-28T00:00:00Z"),
  ...more
})

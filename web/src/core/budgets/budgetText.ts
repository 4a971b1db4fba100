import type { BudgetAction, BudgetDecisionId, BudgetPeriod, BudgetState } from "../../../../src/contract/budget.ts"
import type { Budget, BudgetScope, StopState } from "../../../../src/contract/schema/budget.ts"
import { money } from "../common/numberText.ts"
import { listText } from "../common/phrases.ts"
import { clockTime, duration } from "../common/timeText.ts"
import { say, sayCount } from "../language/say.ts"
import { type Allowance, allowancesOf, type BudgetUnit, scopeKey, usedUpAt } from "./budgetRules.ts"

export const PERIOD_TEXTS: Readonly<Record<BudgetPeriod, string>> = {
  day: say("Each day"),
  week: say("Each week"),
  month: say("Each month"),
  total: say("In total"),
  run: say("Each run")
}

export const SCOPE_TEXTS: Readonly<Record<BudgetScope["kind"], string>> = {
  all: say("Everything"),
  gateway: say("Gateway"),
  agent: say("Agent"),
  task: say("Card"),
  job: say("Job"),
  session: say("Session")
}

export const STATE_TEXTS: Readonly<Record<BudgetState, string>> = {
  ok: say("Within the limit"),
  warned: say("Nearly used up"),
  paused: say("Paused")
}

export const ACTION_TEXTS: Readonly<Record<BudgetAction, string>> = {
  ask: say("Pause and ask me"),
  stop: say("Stop until I decide")
}

export const DECISION_TEXTS: Readonly<Record<BudgetDecisionId, string>> = {
  again: say("Once more"),
  raise: say("Raise"),
  finish: say("Finish up"),
  keep: say("Keep paused"),
  dismiss: say("Dismiss")
}

export const UNIT_LABELS: Readonly<Record<BudgetUnit, string>> = {
  usd: say("Dollars"),
  minutes: say("Minutes of work"),
  turns: say("Responses")
}

const AMOUNTS: Readonly<Record<BudgetUnit, (amount: number) => string>> = {
  usd: (amount) => money(amount),
  minutes: (amount) => duration(Math.floor(amount * 60) * 1_000),
  turns: (amount) => sayCount(amount, "{count} response", "{count} responses")
}

export const amountText = (unit: BudgetUnit, amount: number): string => AMOUNTS[unit](amount)

/** What was spent of what, such as "$0.12 of $0.20". */
export const spentText = ({ allowed, spent, unit }: Allowance): string =>
  say("{spent} of {limit}", { spent: amountText(unit, spent), limit: amountText(unit, allowed) })

/** What was spent of each unit. */
export const allSpentText = (budget: Budget): string => listText(allowancesOf(budget).map(spentText))

/** The names of what scopes are about, by `scopeKey`. */
export type ScopeNames = ReadonlyMap<string, string>

/** What a scope without a known name is called. */
const idOf = (scope: Exclude<BudgetScope, { readonly kind: "all" }>): string => {
  switch (scope.kind) {
    case "gateway":
      return scope.gatewayId
    case "agent":
      return scope.agentId
    case "task":
      return say("no longer on the board")
    case "job":
      return scope.jobId
    case "session":
      return scope.sessionKey
  }
}

/** What a budget is for, such as "Card: Fix the door". */
export const scopeText = (scope: BudgetScope, names: ScopeNames): string => {
  if (scope.kind === "all") return SCOPE_TEXTS.all
  const name = names.get(scopeKey(scope)) ?? idOf(scope)
  return say("{kind}: {name}", { kind: SCOPE_TEXTS[scope.kind], name })
}

/** How long it lasts, in a sentence; null where nobody can say. */
export const paceText = (budget: Budget, now: number): string | null => {
  const at = usedUpAt(budget, now)
  if (at === null) return null
  return at === "lasts"
    ? say("At this pace it lasts for the period.")
    : say("At this pace it's used up {time}.", { time: clockTime(at, now) })
}

/** When it begins anew, in a sentence. */
export const renewalText = ({ period, resetsAt }: Pick<Budget, "period" | "resetsAt">, now: number): string => {
  if (resetsAt !== undefined) return say("Starts anew {time}.", { time: clockTime(resetsAt, now) })
  return period === "run" ? say("Starts anew with each run.") : say("Doesn't start anew.")
}

/** Since when everything is stopped, and by whom, in a sentence. */
export const stoppedText = ({ by, since }: StopState, now: number): string => {
  const time = clockTime(since ?? now, now)
  return by === "cli"
    ? say("Everything was stopped from the command line, {time}.", { time })
    : say("Everything is stopped since {time}.", { time })
}

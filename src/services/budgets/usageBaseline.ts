import { DateTime, Effect } from "effect"
import type { BudgetScope } from "../../contract/schema/budget.ts"
import type { UsageHistoryRow } from "../../contract/schema/usage.ts"
import type { TokenUsageShape } from "../usage/TokenUsage.ts"
import { toNano } from "../usage/UsageRow.ts"
import type { Spent } from "./amounts.ts"

const DAY_MS = 86_400_000
/** Before there can be any usage. */
const BEGINNING = Date.UTC(2024, 0, 1)
/** A long history is still being counted; what the console itself has noted counts until then. */
const PATIENCE = "3 seconds"

const dayOf = (at: number): string => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(at))

/** Whether a group of the usage history is of a scope; `sessionId` is the one of a session scope. */
const isOf = (scope: BudgetScope, row: UsageHistoryRow, sessionId: string | undefined): boolean => {
  switch (scope.kind) {
    case "all":
    case "gateway":
      return true
    case "agent":
      return row.agent === scope.agentId
    case "task":
      return row.work === `task:${scope.taskId}`
    case "job":
      return row.work === `cron:${scope.jobId}`
    case "session":
      return row.session === sessionId
  }
}

/**
 * A UTC day of which only a part lies in the period counts as a whole, if that's the larger part of what has passed of it.
 */
const isWithin = (day: string, start: number, now: number): boolean => {
  const from = Date.parse(day)
  const to = Math.min(from + DAY_MS, now)
  return to - Math.max(from, start) >= (to - from) / 2
}

interface BaselineOptions {
  readonly usage: TokenUsageShape
  readonly scope: BudgetScope
  /** The begin of the period, in epoch milliseconds. */
  readonly start: number
  readonly now: number
  /** What the console has noted of a time. */
  readonly noted: (start: number, end: number) => Spent
  readonly sessionId: string | undefined
}

/**
 * What a scope has spent since the period's begin: what the console has noted, or the usage history where that has more,
 * day by day, because the console may have noted only a part of it.
 */
export const usageBaseline = Effect.fnUntraced(function* (options: BaselineOptions) {
  const { noted, now, scope, sessionId, start, usage } = options
  const gateway = "gatewayId" in scope ? scope.gatewayId : undefined
  const from = dayOf(Math.max(start, BEGINNING))
  const rows = yield* usage.history({ from, to: dayOf(now), group: ["day", "agent", "session", "work"] }, gateway).pipe(
    Effect.timeout(PATIENCE),
    Effect.orElseSucceed((): ReadonlyArray<UsageHistoryRow> => [])
  )
  const days = new Map<string, { nano: number; turns: number }>()
  for (const row of rows) {
    if (row.day === undefined || !isOf(scope, row, sessionId) || !isWithin(row.day, start, now)) continue
    const day = days.get(row.day) ?? { nano: 0, turns: 0 }
    days.set(row.day, { nano: day.nano + toNano(row.cost), turns: day.turns + row.messageCount })
  }
  const all = noted(start, Infinity)
  let { nano, turns } = all
  for (const [day, counted] of days) {
    const own = noted(Math.max(start, Date.parse(day)), Date.parse(day) + DAY_MS)
    nano += Math.max(0, counted.nano - own.nano)
    turns += Math.max(0, counted.turns - own.turns)
  }
  return { ...all, nano, turns } satisfies Spent
})

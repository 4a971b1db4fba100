import type { Totals } from "./store/totalRows.ts"
import type { UsageSummary } from "./usageSummary.ts"

/** What one gateway's usage comes to. */
export interface GatewayTotals {
  readonly id: string
  readonly totals: Totals
}

/** Adds the gateways up; the entries name theirs if there are several. */
export const summed = (all: ReadonlyArray<GatewayTotals>, updatedAt: number): UsageSummary => {
  const sum = (pick: (totals: Totals) => number) => all.reduce((total, { totals }) => total + pick(totals), 0)
  return {
    totalCost: sum(({ totalCost }) => totalCost),
    totalInput: sum(({ totalInput }) => totalInput),
    totalOutput: sum(({ totalOutput }) => totalOutput),
    totalMessages: sum(({ totalMessages }) => totalMessages),
    entries: all
      .flatMap(({ id, totals }) =>
        totals.entries.map((entry) => (all.length === 1 ? entry : { ...entry, gatewayId: id }))
      )
      .toSorted((a, b) => b.cost - a.cost),
    persistent: {
      totalInput: sum(({ persistent }) => persistent.totalInput),
      totalOutput: sum(({ persistent }) => persistent.totalOutput),
      totalCost: sum(({ persistent }) => persistent.totalCost),
      lastUpdated:
        all
          .map(({ totals }) => totals.persistent.lastUpdated)
          .toSorted()
          .at(-1) ?? ""
    },
    updatedAt
  }
}

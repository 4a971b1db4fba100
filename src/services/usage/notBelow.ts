import type { KeptTotals, Totals } from "./store/totalRows.ts"
import { NANO } from "./UsageRow.ts"

/** The totals with a `persistent` that's never below an earlier count. */
export const notBelow = (totals: Totals, earlier: KeptTotals): Totals => {
  const { totalInput, totalOutput, totalCost, lastUpdated } = totals.persistent
  return {
    ...totals,
    persistent: {
      totalInput: Math.max(totalInput, earlier.input),
      totalOutput: Math.max(totalOutput, earlier.output),
      totalCost: Math.max(totalCost, earlier.nano / NANO),
      lastUpdated
    }
  }
}

import type { UsageGroup } from "../../contract/schema/usage.ts"
/** Which part of the history, grouped how. */
export interface UsageHistoryQuery {
  /** First day, UTC `YYYY-MM-DD`. */
  readonly from: string
  /** Last day, included. */
  readonly to: string
  /** At least one. */
  readonly group: ReadonlyArray<UsageGroup>
}

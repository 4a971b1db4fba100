import type { StoreFault } from "../../sqlite/storeFault.ts"
import type { GatewayUsageRow } from "../gatewayUsage.ts"
import type { ModelRates } from "../modelRates.ts"
import type { TranscriptFolder } from "../transcripts/TranscriptState.ts"
import type { UsageHistoryQuery, UsageHistoryRow } from "../usageHistory.ts"
import type { KeptTotals, Totals } from "./totalRows.ts"

/** What the usage thread does, by name; one at a time, in the order they are asked for. */
export interface UsageStore {
  /** Opens the database at a path; `now` is in ISO 8601. Answers the name a damaged file got, if it was one (D40). */
  readonly open: (path: string, now: string) => string | undefined
  /** Reads what is new in the transcripts of these folders. */
  readonly scan: (folders: ReadonlyArray<TranscriptFolder>) => void
  readonly totals: () => Totals
  readonly history: (query: UsageHistoryQuery) => ReadonlyArray<UsageHistoryRow>
  /** Whether the first scan is behind us. */
  readonly isSettled: () => boolean
  /** Ends the first scan with what an earlier count told. */
  readonly settle: (earlier: KeptTotals, now: string) => void
  /** Notes when the totals changed (ISO 8601). */
  readonly touch: (now: string) => void
  /** The tokens stored for each day that the gateway told of. */
  readonly gatewayDays: () => ReadonlyMap<string, number>
  readonly saveGatewayDay: (day: string, rows: ReadonlyArray<GatewayUsageRow>) => void
  /** Whether there are answers whose cost nobody told and whose model has no rates yet. */
  readonly needsRates: () => boolean
  readonly saveRates: (models: ReadonlyArray<ModelRates>) => void
}

/** Anything the thread can be asked, with what it needs for that. */
export type UsageAsk = {
  readonly [Name in keyof UsageStore]: readonly [Name, ...Parameters<UsageStore[Name]>]
}[keyof UsageStore]

/** The thread's answer to one question. */
export type UsageOutcome<A> =
  | { readonly value: A }
  | { readonly fault: Omit<StoreFault, "cause"> & { readonly cause: string } }

import { Effect } from "effect"
import type { UsageHistoryRow } from "../../contract/schema/usage.ts"
import { type AskThread, makeStoreThread } from "../platform/thread/storeThread.ts"
import type { TranscriptFolder } from "../transcripts/transcriptFolders.ts"
import type { GatewayUsageRow, ModelRates, SessionWork, StoredDay } from "./gatewayUsage.ts"
import type { KeptTotals, Totals } from "./store/totalRows.ts"
import type { UsageHistoryQuery } from "./usageSchemas.ts"

/** The usage thread's operations by name; run one at a time, in order. */
export interface UsageStore {
  /** Opens the database at a path; `now` is in ISO 8601. Returns the new name of a damaged file, if there was one. */
  readonly open: (path: string, now: string) => string | undefined
  /** Reads what's new in these folders' transcripts. */
  readonly scan: (folders: ReadonlyArray<TranscriptFolder>) => void
  readonly totals: () => Totals
  readonly history: (query: UsageHistoryQuery) => ReadonlyArray<UsageHistoryRow>
  /** Whether everything has been counted once. */
  readonly isSettled: () => boolean
  /** Finishes the first complete count with an earlier one's totals. */
  readonly settle: (earlier: KeptTotals, now: string) => void
  /** By how much an earlier version counted too much, until `endRecount`. */
  readonly excess: () => KeptTotals
  readonly endRecount: () => void
  /** Records when the totals changed (ISO 8601). */
  readonly touch: (now: string) => void
  /** What's stored for each day reported by the gateway. */
  readonly gatewayDays: () => ReadonlyMap<string, StoredDay>
  readonly saveGatewayDay: (day: string, rows: ReadonlyArray<GatewayUsageRow>) => void
  readonly saveSessionWork: (sessions: ReadonlyArray<SessionWork>) => void
  /** Whether there are answers with unknown cost whose model has no rates yet. */
  readonly needsRates: () => boolean
  readonly saveRates: (models: ReadonlyArray<ModelRates>) => void
}

/** In the sources, the thread's file is below this one; the build puts it next to the command line. */
const SCRIPT = new URL(
  import.meta.url.endsWith(".ts") ? "./store/usageThread.ts" : "../usageThread.js",
  import.meta.url
)

/** Sends the thread a request. */
export type AskUsage = AskThread<UsageStore>

/** The thread that owns the usage database at `path`; requests come in bursts a minute apart. */
export const makeUsageThread = Effect.fnUntraced(function* (path: string) {
  const { ask } = yield* makeStoreThread<UsageStore>({
    name: "usage",
    script: SCRIPT,
    open: (askThread, now) =>
      Effect.flatMap(askThread("open", path, now), (aside) =>
        aside === undefined
          ? Effect.void
          : Effect.logError(`The usage database was damaged. It was renamed to ${aside} and replaced by a new one`)
      ),
    idleFor: "2 seconds"
  })
  return ask
})

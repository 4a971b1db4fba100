import { Observable } from "../Observable.ts"
import type { ApiResult, Console } from "../types.ts"
import { LiveQuery } from "./LiveQuery.ts"
import { type AgentLimits, readLimits } from "./limits.ts"
import { serverEvent, streamBack } from "./sources.ts"
import { firstDay, readTotals, readUsage, type UsageReport, type UsageTotals } from "./usage.ts"

/** How far back the report goes, in days. */
export const USAGE_SPANS = [7, 30, 90] as const
export type UsageSpan = (typeof USAGE_SPANS)[number]

/** How often limits that the server is still asking for are looked for again, and how many times. */
const LOOK_AGAIN_MS = 4_000
const LOOKS = 6

/** What the agents used and how much of their limits is left. */
export class UsageStore {
  readonly span = new Observable<UsageSpan>(30)
  readonly report: LiveQuery<UsageReport>
  readonly totals: LiveQuery<UsageTotals>
  readonly agentA: LiveQuery<AgentLimits>
  readonly agentB: LiveQuery<AgentLimits>

  constructor(console: Console, now: () => number = Date.now) {
    const sources = [serverEvent(console.events, "tokens.updated"), streamBack(console.events)]
    this.report = new LiveQuery({
      now,
      sources,
      load: () => {
        const query = new URLSearchParams({ from: firstDay(this.span.get(), now()), group: "day,model,agent" })
        return console.api.request("GET", `/api/tokens/history?${query}`, readUsage)
      }
    })
    this.totals = new LiveQuery({ now, sources, load: () => console.api.request("GET", "/api/tokens", readTotals) })
    const limits = (path: string) =>
      new LiveQuery({ now, sources: [streamBack(console.events)], load: () => askLimits(console, path) })
    this.agentA = limits("/api/agent-a-limits")
    this.agentB = limits("/api/agent-b-limits")
  }

  setSpan(span: UsageSpan): void {
    this.span.set(span)
    void this.report.refresh()
  }
}

/** The server answers at once, also when it has yet to ask the agent: then it is looked at a few times more. */
const askLimits = async (console: Console, path: string): Promise<ApiResult<AgentLimits>> => {
  for (let look = 1; ; look++) {
    const result = await console.api.request("GET", path, readLimits)
    if (!result.ok || result.value.available || !result.value.asking || look === LOOKS) return result
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

const stores = new WeakMap<Console, UsageStore>()

/** The store of a console, made on first use. */
export const usageStore = (console: Console): UsageStore => {
  const store = stores.get(console) ?? new UsageStore(console)
  stores.set(console, store)
  return store
}

import type { Client } from "../client/Client.ts"
import { createObservable } from "../common/Observable.ts"
import type { ApiResult } from "../link/apiTypes.ts"
import { LiveQuery } from "./LiveQuery.ts"
import { type AgentLimits, readLimits } from "./limits.ts"
import { lastMonth } from "./months.ts"
import { serverEvent, streamBack } from "./sources.ts"
import { firstDay, readTotals, readUsage, type UsageReport, type UsageTotals } from "./usage.ts"
import { askWork, type WorkUsage } from "./workUsage.ts"

/** How far back the report goes, in days. */
export const USAGE_SPANS = [7, 30, 90] as const
export type UsageSpan = (typeof USAGE_SPANS)[number]

/** How often, and how many times, to check again for limits the server is still requesting. */
const LOOK_AGAIN_MS = 4_000
const LOOKS = 6

/** What the agents used and what is left of their limits. */
export class UsageStore {
  readonly span = createObservable<UsageSpan>(30)
  readonly report: LiveQuery<UsageReport>
  /** By day, from the first day of the last month on. */
  readonly months: LiveQuery<UsageReport>
  readonly work: LiveQuery<WorkUsage>
  readonly totals: LiveQuery<UsageTotals>
  readonly agentA: LiveQuery<AgentLimits>
  readonly agentB: LiveQuery<AgentLimits>

  constructor(client: Client, now: () => number = Date.now) {
    const sources = [serverEvent(client.events, "tokens.updated"), streamBack(client.events)]
    this.report = new LiveQuery({
      now,
      sources,
      load: () => {
        const query = new URLSearchParams({ from: firstDay(this.span.get(), now()), group: "day,model,agent" })
        return client.api.request("GET", `/api/tokens/history?${query}`, readUsage)
      }
    })
    this.months = new LiveQuery({
      now,
      sources,
      load: () => client.api.request("GET", `/api/tokens/history?from=${lastMonth(now())}&group=day`, readUsage)
    })
    this.work = new LiveQuery({ now, sources, load: () => askWork(client, firstDay(this.span.get(), now())) })
    this.totals = new LiveQuery({ now, sources, load: () => client.api.request("GET", "/api/tokens", readTotals) })
    const limits = (path: string) =>
      new LiveQuery({ now, sources: [streamBack(client.events)], load: () => askLimits(client, path) })
    this.agentA = limits("/api/agent-a-limits")
    this.agentB = limits("/api/agent-b-limits")
  }

  setSpan(span: UsageSpan): void {
    this.span.set(span)
    void this.report.refresh()
    void this.work.refresh()
  }
}

/** The server responds at once, even if it has yet to ask the agent: then check again a few times. */
const askLimits = async (client: Client, path: string): Promise<ApiResult<AgentLimits>> => {
  for (let look = 1; ; look++) {
    const result = await client.api.request("GET", path, readLimits)
    if (!result.ok || result.value.available || !result.value.asking || look === LOOKS) return result
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

const stores = new WeakMap<Client, UsageStore>()

/** A console's store, created on first use. */
export const usageStore = (client: Client): UsageStore => {
  const store = stores.get(client) ?? new UsageStore(client)
  stores.set(client, store)
  return store
}

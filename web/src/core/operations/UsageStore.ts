import type { Client } from "../client/Client.ts"
import { createObservable, type Readable } from "../common/Observable.ts"
import { asSentence } from "../common/phrases.ts"
import type { ApiResult } from "../link/apiTypes.ts"
import { loadMachineTexts } from "../link/machineTexts.ts"
import { createLiveQuery, type LiveQuery } from "./LiveQuery.ts"
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

export interface UsageStore {
  readonly span: Readable<UsageSpan>
  readonly report: LiveQuery<UsageReport>
  /** By day, from the first day of the last month on. */
  readonly months: LiveQuery<UsageReport>
  readonly work: LiveQuery<WorkUsage>
  readonly totals: LiveQuery<UsageTotals>
  readonly agentA: LiveQuery<AgentLimits>
  readonly agentB: LiveQuery<AgentLimits>
  setSpan(days: UsageSpan): void
}

/** What the agents used and what is left of their limits. */
export function createUsageStore(client: Client, now: () => number = Date.now): UsageStore {
  const span = createObservable<UsageSpan>(30)
  const sources = [serverEvent(client.events, "tokens.updated"), streamBack(client.events)]
  const report = createLiveQuery({
    now,
    sources,
    load: () => {
      const query = new URLSearchParams([
        ["from", firstDay(span.get(), now())],
        ["group", "day,model,agent"]
      ])
      return client.api.request("GET", `/api/tokens/history?${query}`, readUsage)
    }
  })
  const months = createLiveQuery({
    now,
    sources,
    load: () => client.api.request("GET", `/api/tokens/history?from=${lastMonth(now())}&group=day`, readUsage)
  })
  const work = createLiveQuery({ now, sources, load: () => askWork(client, firstDay(span.get(), now())) })
  const totals = createLiveQuery({ now, sources, load: () => client.api.request("GET", "/api/tokens", readTotals) })
  const limits = (path: string) =>
    createLiveQuery({ now, sources: [streamBack(client.events)], load: () => askLimits(client, path) })
  const agentA = limits("/api/agent-a-limits")
  const agentB = limits("/api/agent-b-limits")

  return {
    span,
    report,
    months,
    work,
    totals,
    agentA,
    agentB,
    setSpan: (days) => {
      span.set(days)
      void report.refresh()
      void work.refresh()
    }
  }
}

/** The server responds at once, even if it has yet to ask the agent: then check again a few times. */
const askLimits = async (client: Client, path: string): Promise<ApiResult<AgentLimits>> => {
  await loadMachineTexts()
  for (let look = 1; ; look++) {
    const result = await client.api.request("GET", path, readLimits)
    if (!result.ok || result.value.available) return result
    if (!result.value.asking || look === LOOKS)
      return { ok: true, value: { ...result.value, reason: asSentence(result.value.reason) } }
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

const stores = new WeakMap<Client, UsageStore>()

/** A console's store, created on first use. */
export const usageStore = (client: Client): UsageStore => {
  const store = stores.get(client) ?? createUsageStore(client)
  stores.set(client, store)
  return store
}

import type { UsageHistory } from "../../../../src/contract/schema/usage.ts"
import { createObservable } from "../common/Observable.ts"
import type { Readable } from "../common/readable.ts"
import type { ApiClient, EventStream } from "../link/apiTypes.ts"
import type { CardCosts } from "./listOrder.ts"

/** Long enough for the usage of a run to be counted, and far from a rate limit. */
const EVERY_MS = 30_000
const DAY_MS = 86_400_000
/** Cards that nobody worked on for a year show no cost. */
const DAYS = 365

/** What cards cost in US dollars, from `GET /api/tokens/history?group=work`; those that cost nothing are left out. */
export const costsOf = ({ rows }: UsageHistory): CardCosts => {
  const costs = new Map<string, number>()
  for (const { cost, work = "" } of rows) {
    const [, id] = /^task:(.+)$/.exec(work) ?? []
    if (id !== undefined && cost > 0) costs.set(id, (costs.get(id) ?? 0) + cost)
  }
  return costs
}

interface CostSource {
  readonly api: Pick<ApiClient, "request">
  readonly events: Pick<EventStream, "on">
}

/** What the cards cost so far: one request for all of them, again when usage was counted, at most every 30 seconds. */
export function createCardCosts({ api, events }: CostSource): { readonly state: Readable<CardCosts> } {
  const state = createObservable<CardCosts>(new Map())
  let waits = false

  async function refresh(): Promise<void> {
    const from = new Date(Date.now() - DAYS * DAY_MS).toISOString().slice(0, 10)
    const answer = await api.request("GET", `/api/tokens/history?group=work&from=${from}`, costsOf)
    if (answer.ok) state.set(answer.value)
  }

  events.on("tokens.updated", () => {
    if (waits) return
    waits = true
    setTimeout(() => {
      waits = false
      void refresh()
    }, EVERY_MS)
  })
  void refresh()
  return { state }
}

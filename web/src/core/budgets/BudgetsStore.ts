import type { BudgetDecisionId } from "../../../../src/contract/budget.ts"
import type {
  Budget,
  BudgetChange,
  BudgetList,
  BudgetPatch,
  NewBudget,
  Stopped,
  StopState
} from "../../../../src/contract/schema/budget.ts"
import type { Client } from "../client/Client.ts"
import { type ActionResult, createObservable, type Readable } from "../common/Observable.ts"
import type { ApiFailure, ApiResult } from "../link/apiTypes.ts"
import { createLiveQuery, type LiveQuery } from "../operations/LiveQuery.ts"
import { streamBack } from "../operations/sources.ts"

/** Why a budget wasn't saved; `other` is the one that is there instead. */
export interface BudgetRefusal {
  readonly ok: false
  readonly message: string
  readonly reason: "exists" | "changed" | "other"
  readonly other: Budget | null
}
export type SavedBudget = { readonly ok: true; readonly value: Budget } | BudgetRefusal

export interface BudgetsStore {
  readonly list: LiveQuery<BudgetList>
  /** Whether everything is stopped; null until that is known. */
  readonly stop: Readable<StopState | null>
  create(budget: NewBudget): Promise<SavedBudget>
  change(id: string, patch: BudgetPatch): Promise<SavedBudget>
  remove(id: string): Promise<ActionResult>
  /** Decides how a paused budget goes on; `raise` takes the new limit as text. */
  resolve(id: string, action: BudgetDecisionId, text?: string): Promise<ActionResult<Budget>>
  /** Stops everything; the value is how many sessions were running. */
  stopAll(reason: string): Promise<ActionResult<number>>
  goOn(): Promise<ActionResult>
}

type Source = Pick<Client, "api" | "events">

const path = (id: string, rest = "") => `/api/budgets/${encodeURIComponent(id)}${rest}`
const asBudget = (budget: Budget): Budget => budget
const failed = (error: ApiFailure) => ({ ok: false, message: error.message }) as const

const refusal = ({ body, message }: ApiFailure): BudgetRefusal => {
  if (body?.error === "budget_exists") return { ok: false, message, reason: "exists", other: body.budget ?? null }
  if (body?.error === "version_conflict") return { ok: false, message, reason: "changed", other: null }
  return { ok: false, message, reason: "other", other: null }
}

/** The list with a changed budget, which is the first one while it's new. */
export const withChange = (list: BudgetList, { action, budget }: BudgetChange): BudgetList => {
  const isKnown = list.budgets.some(({ id }) => id === budget.id)
  const budgets =
    action === "removed"
      ? list.budgets.filter(({ id }) => id !== budget.id)
      : isKnown
        ? list.budgets.map((one) => (one.id === budget.id ? budget : one))
        : [budget, ...list.budgets]
  return { ...list, budgets }
}

/** The budgets and the stop of everything, kept current by the console's events. */
export function createBudgetsStore({ api, events }: Source, now: () => number = Date.now): BudgetsStore {
  const stop = createObservable<StopState | null>(null)
  const list = createLiveQuery<BudgetList>({
    now,
    sources: [streamBack(events)],
    load: () => api.request("GET", "/api/budgets", (all: BudgetList) => all)
  })
  list.state.subscribe(({ value }) => {
    if (value !== null && JSON.stringify(value.stop) !== JSON.stringify(stop.get())) stop.set(value.stop)
  })

  function change(changed: (list: BudgetList) => BudgetList): void {
    // An answer on its way may be older than this.
    if (list.state.get().busy) list.soon()
    list.patch(changed)
  }
  const takeBudget = (news: BudgetChange) => change((known) => withChange(known, news))
  const takeStop = (state: StopState) => change((known) => ({ ...known, stop: state }))
  events.on("budget.changed", ({ data }) => takeBudget(data))
  events.on("stop.changed", ({ data }) => takeStop(data))

  const saved = (result: ApiResult<Budget>, action: BudgetChange["action"]): SavedBudget => {
    if (result.ok) takeBudget({ action, budget: result.value })
    else list.soon()
    return result.ok ? result : refusal(result.error)
  }

  return {
    list,
    stop,
    create: async (body) => saved(await api.request("POST", "/api/budgets", asBudget, { body }), "created"),
    change: async (id, body) => saved(await api.request("PATCH", path(id), asBudget, { body }), "updated"),
    remove: async (id) => {
      const done = await api.request("DELETE", path(id), (): true => true)
      if (!done.ok && done.error.kind !== "not_found") return failed(done.error)
      change((known) => ({ ...known, budgets: known.budgets.filter((budget) => budget.id !== id) }))
      return { ok: true, value: true }
    },
    resolve: async (id, action, text) => {
      const body = { action, ...(text === undefined ? {} : { text }) }
      const done = await api.request("POST", path(id, "/resolve"), asBudget, { body })
      if (!done.ok) {
        list.soon()
        return failed(done.error)
      }
      takeBudget({ action: "updated", budget: done.value })
      return done
    },
    stopAll: async (reason) => {
      const body = reason === "" ? {} : { reason }
      const done = await api.request("POST", "/api/stop", (answer: Stopped) => answer, { body })
      if (!done.ok) return failed(done.error)
      const { stopped, ...state } = done.value
      // The event, which may come first, has the reason; this answer hasn't.
      change((known) => (known.stop.active ? known : { ...known, stop: { ...state, ...body } }))
      return { ok: true, value: stopped }
    },
    goOn: async () => {
      const done = await api.request("DELETE", "/api/stop", (): true => true)
      if (!done.ok) return failed(done.error)
      takeStop({ active: false })
      return { ok: true, value: true }
    }
  }
}

const stores = new WeakMap<Client["events"], BudgetsStore>()

/** A console's store, created on first use. */
export const budgetsStore = (client: Source): BudgetsStore => {
  const store = stores.get(client.events) ?? createBudgetsStore(client)
  stores.set(client.events, store)
  return store
}

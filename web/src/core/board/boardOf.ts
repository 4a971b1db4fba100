import type { SavedView } from "../../../../src/contract/schema/savedView.ts"
import type { UsageHistory } from "../../../../src/contract/schema/usage.ts"
import { type ActionResult, createObservable, type Readable } from "../common/Observable.ts"
import type { ApiClient, EventStream } from "../link/apiTypes.ts"
import type { KeyValueStorage } from "../link/Environment.ts"
import { type BoardActions, createBoardActions } from "./BoardActions.ts"
import { type BoardChoices, type ChoiceSource, createBoardChoices } from "./BoardChoices.ts"
import { type BoardStore, createBoardStore } from "./BoardStore.ts"
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
function createCardCosts({ api, events }: CostSource): { readonly state: Readable<CardCosts> } {
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

interface BoardViews {
  /** By name. */
  readonly state: Readable<ReadonlyArray<SavedView>>
  /** Saves a view under its id, whether it's new or not. */
  save(view: SavedView): Promise<ActionResult<true>>
  remove(id: string): Promise<ActionResult<true>>
}

/** The views saved on the console, the same on every device. */
function createBoardViews({
  api,
  events
}: {
  readonly api: Pick<ApiClient, "request">
  readonly events: Pick<EventStream, "on" | "connected">
}): BoardViews {
  const state = createObservable<ReadonlyArray<SavedView>>([])
  const path = (id: string) => `/api/kanban/views/${encodeURIComponent(id)}`
  const inOrder = (views: ReadonlyArray<SavedView>) =>
    views.toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id))

  async function refresh(): Promise<void> {
    const answer = await api.request(
      "GET",
      "/api/kanban/views",
      ({ views }: { readonly views: ReadonlyArray<SavedView> }) => views
    )
    if (answer.ok) state.set(answer.value)
  }

  events.on("kanban.changed", ({ data }) => {
    if (data.views !== undefined) state.set(data.views)
  })
  events.connected.subscribe((up) => {
    if (up) void refresh()
  })
  void refresh()

  return {
    state,
    save: async ({ id, ...body }) => {
      const saved = await api.request("PUT", path(id), (view: SavedView) => view, { body })
      if (!saved.ok) return { ok: false, message: saved.error.message }
      state.set(inOrder([...state.get().filter((view) => view.id !== id), saved.value]))
      return { ok: true, value: true }
    },
    remove: async (id) => {
      const done = await api.request("DELETE", path(id), (): true => true, { keepalive: true })
      if (!done.ok && done.error.kind !== "not_found") return { ok: false, message: done.error.message }
      state.set(state.get().filter((view) => view.id !== id))
      return { ok: true, value: true }
    }
  }
}

/** A page's board: what it shows, what people do to it, and their options. */
export interface Board {
  readonly store: BoardStore
  readonly actions: BoardActions
  readonly choices: BoardChoices
  readonly views: BoardViews
  readonly costs: Readable<CardCosts>
}

/** The parts of the page that a board reads and writes through. */
export interface BoardSource extends ChoiceSource {
  readonly api: ApiClient
  readonly events: EventStream
  readonly storage: KeyValueStorage
}

const boards = new WeakMap<BoardSource, Board>()

/** A console's board, created when the board screen is first opened and kept for the life of the page. */
export const boardOf = (source: BoardSource): Board => {
  const known = boards.get(source)
  if (known !== undefined) return known
  const store = createBoardStore(source)
  const board = {
    store,
    actions: createBoardActions(store),
    choices: createBoardChoices(source, store.calls),
    views: createBoardViews(source),
    costs: createCardCosts(source).state
  }
  boards.set(source, board)
  return board
}

import { TASK_SORTS, VIEW_LAYOUTS, type ViewLayout } from "../../../../src/contract/board.ts"
import { wordOf } from "../../../../src/contract/looseFields.ts"
import type { SavedView } from "../../../../src/contract/schema/savedView.ts"
import { type BoardFilter, filterFrom, NO_FILTER, withFilter, withParam } from "./boardFilter.ts"
import type { ListSort } from "./listOrder.ts"

/** How the address shows the board. */
export interface ViewState {
  readonly layout: ViewLayout
  readonly filter: BoardFilter
  readonly sort: ListSort | null
}

export const layoutFrom = (search: string): ViewLayout =>
  wordOf(VIEW_LAYOUTS, new URLSearchParams(search).get("layout")) ?? "board"

/** `sort=due` ascending, `sort=-due` descending. */
export const sortFrom = (search: string): ListSort | null => {
  const text = new URLSearchParams(search).get("sort") ?? ""
  const by = wordOf(TASK_SORTS, text.replace(/^-/, ""))
  return by === null ? null : { by, descending: text.startsWith("-") }
}

/** The id of the saved view that was chosen. */
export const viewIdFrom = (search: string): string => new URLSearchParams(search).get("view") ?? ""

export const viewStateFrom = (search: string): ViewState => ({
  layout: layoutFrom(search),
  filter: filterFrom(search),
  sort: sortFrom(search)
})

export const withSort = (search: string, sort: ListSort | null): string =>
  withParam(search, "sort", sort === null ? "" : `${sort.descending ? "-" : ""}${sort.by}`)

export const withLayout = (search: string, layout: ViewLayout): string =>
  withParam(search, "layout", layout === "board" ? "" : layout)

const startOf = ({ blocked = false, ready = false }: NonNullable<SavedView["filter"]>): BoardFilter["start"] =>
  ready ? "ready" : blocked ? "blocked" : null

const stateOf = ({ filter = {}, layout, sort }: Omit<SavedView, "id" | "name">): ViewState => ({
  layout,
  filter: {
    ...NO_FILTER,
    ...filter,
    start: startOf(filter)
  },
  sort: sort === undefined ? null : { by: sort.by, descending: sort.descending ?? false }
})

/** The query string that shows a saved view; null shows the whole board. */
export const withView = (search: string, view: SavedView | null): string => {
  const { filter, layout, sort } = stateOf(view ?? { layout: layoutFrom(search) })
  return withParam(withSort(withLayout(withFilter(search, filter), layout), sort), "view", view?.id ?? "")
}

/** What is shown now, to be saved; what isn't set is left out. */
export const viewBody = (name: string, { filter, layout, sort }: ViewState): Omit<SavedView, "id"> => ({
  name,
  layout,
  filter: {
    ...(filter.q.trim() === "" ? {} : { q: filter.q.trim() }),
    ...(filter.priorities.length === 0 ? {} : { priorities: filter.priorities }),
    ...(filter.labels.length === 0 ? {} : { labels: filter.labels }),
    ...(filter.assignee === "" ? {} : { assignee: filter.assignee }),
    ...(filter.overdue ? { overdue: true } : {}),
    ...(filter.start === null ? {} : { [filter.start]: true })
  },
  ...(sort === null ? {} : { sort: { by: sort.by, ...(sort.descending ? { descending: true } : {}) } })
})

/** Whether the address shows a view as it was saved. */
export const isShownAsSaved = (view: SavedView, search: string): boolean => {
  const now = withView(search, view)
  const wanted = new URLSearchParams(now)
  const shown = new URLSearchParams(search)
  wanted.sort()
  shown.sort()
  return wanted.toString() === shown.toString()
}

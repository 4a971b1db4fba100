import type { TaskStatus } from "../../../src/contract/board.ts"
import type { AppServices } from "../base/AppContext.ts"
import type { BoardState } from "../core/board/BoardStore.ts"
import { type BoardFilter, filteredColumn, filterFrom, isFiltering } from "../core/board/boardFilter.ts"
import { allColumns, type ShownColumn } from "../core/board/columns.ts"
import { NO_CARDS, type VisibleColumns } from "../core/board/visibleBoard.ts"

/** What is on screen: the columns drawn, and their cards that match the filter. */
export interface BoardView {
  readonly filter: BoardFilter
  readonly filtering: boolean
  readonly drawn: ReadonlyArray<ShownColumn>
  /** Columns hidden by the configuration that nobody asked to see. */
  readonly hidden: ReadonlyArray<ShownColumn>
  readonly keys: ReadonlyArray<TaskStatus>
  readonly cards: VisibleColumns
}

/** The view of a board's state for an address. */
export const boardView = (state: BoardState, search: string, now: number): BoardView => {
  const filter = filterFrom(search)
  const everything = new URLSearchParams(search).get("columns") === "all"
  const columns = allColumns(state.config)
  const drawn = columns.filter(({ hidden }) => everything || !hidden)
  const cards = { ...NO_CARDS }
  for (const { key } of drawn) cards[key] = filteredColumn(state.columns[key], filter, now)
  return {
    filter,
    filtering: isFiltering(filter),
    drawn,
    hidden: columns.filter(({ hidden }) => hidden && !everything),
    keys: drawn.map(({ key }) => key),
    cards
  }
}

/** The view at this moment, for events between two renders. */
export const viewNow = (
  app: Pick<AppServices, "router">,
  store: { readonly state: { get(): BoardState } }
): BoardView => boardView(store.state.get(), app.router.location.get().search, Date.now())

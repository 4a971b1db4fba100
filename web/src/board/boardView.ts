import type { AppServices } from "../app/ConsoleContext.ts"
import type { BoardState } from "../core/board/BoardStore.ts"
import { type BoardFilter, filteredColumn, filterFrom, isFiltering } from "../core/board/boardFilter.ts"
import type { TaskStatus } from "../core/board/boardTypes.ts"
import { allColumns, type ShownColumn } from "../core/board/shownColumns.ts"
import { NO_CARDS, type VisibleColumns } from "../core/board/visibleBoard.ts"

/** What is on the screen: the columns that are drawn, and their cards that fit the filter. */
export interface BoardView {
  readonly filter: BoardFilter
  readonly filtering: boolean
  readonly drawn: ReadonlyArray<ShownColumn>
  /** Columns that the configuration hides, while nobody asked for them. */
  readonly hidden: ReadonlyArray<ShownColumn>
  readonly keys: ReadonlyArray<TaskStatus>
  readonly cards: VisibleColumns
}

/** The view of a board's state under an address. */
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

/** The view as it is at this moment, for what happens between two drawings. */
export const viewNow = (
  app: Pick<AppServices, "router">,
  store: { readonly state: { get(): BoardState } }
): BoardView => boardView(store.state.get(), app.router.location.get().search, Date.now())

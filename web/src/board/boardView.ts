import type { TaskStatus } from "../../../src/contract/board.ts"
import type { AppServices } from "../base/AppContext.ts"
import { taskPath } from "../base/routes.ts"
import type { BoardState } from "../core/board/BoardStore.ts"
import {
  type BoardFilter,
  filteredColumn,
  filterFrom,
  isFiltering,
  withFilter,
  withParam
} from "../core/board/boardFilter.ts"
import { allColumns, type ShownColumn } from "../core/board/columns.ts"
import { NO_CARDS, type VisibleColumns } from "../core/board/visibleBoard.ts"
import { below } from "../core/common/basePath.ts"

/** Panels beside or over the board, as named by `?panel=`. */
type PanelName = "new" | "inbox" | "settings" | "view" | "rename" | "family" | "recurring"

interface Target {
  /** The card to show; none when left out. */
  readonly task?: string
  readonly panel?: PanelName
  /** Column for a new card. */
  readonly status?: string
  /** The card that a new card is a part of. */
  readonly parent?: string
}

/** The board's address with another card or panel, keeping the filter. */
export const boardPath = (app: Pick<AppServices, "router">, target: Target = {}): string => {
  const { search } = app.router.location.get()
  const named = { panel: target.panel, status: target.status, parent: target.parent }
  const kept = Object.entries(named).reduce((text, [name, value]) => withParam(text, name, value ?? ""), search)
  return `${target.task === undefined ? below("/board") : taskPath(target.task)}${kept}`
}

/** The board's address with another query, keeping the card. */
export const withSearch = (app: Pick<AppServices, "router">, search: string): string =>
  app.router.location.get().pathname + search

/** What is on screen: the columns drawn, and their cards that match the filter. */
interface BoardView {
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

type Routed = Pick<AppServices, "router">

/** The filter that's in the address. */
export const filterOf = (app: Routed): BoardFilter => filterFrom(app.router.location.get().search)

/** Changes parts of the filter in the address; with `replace`, without a step back to what it was. */
export const filterBy = (app: Routed, change: Partial<BoardFilter>, options?: { readonly replace: boolean }): void => {
  const { search } = app.router.location.get()
  app.router.navigate(withSearch(app, withFilter(search, { ...filterFrom(search), ...change })), options)
}

import type { Readable } from "../common/readable.ts"
import type { ApiClient, EventStream } from "../link/apiTypes.ts"
import { type BoardActions, createBoardActions } from "./BoardActions.ts"
import { type BoardChoices, type ChoiceSource, createBoardChoices } from "./BoardChoices.ts"
import { type BoardStore, createBoardStore } from "./BoardStore.ts"
import { type BoardViews, createBoardViews } from "./BoardViews.ts"
import { createCardCosts } from "./CardCosts.ts"
import type { CardCosts } from "./listOrder.ts"

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

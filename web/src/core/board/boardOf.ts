import type { Console } from "../types.ts"
import { BoardActions } from "./BoardActions.ts"
import { BoardChoices } from "./BoardChoices.ts"
import { BoardStore } from "./BoardStore.ts"

/** The board of a page: what it shows, what people do to it, what they can choose from. */
export interface Board {
  readonly store: BoardStore
  readonly actions: BoardActions
  readonly choices: BoardChoices
}

const boards = new WeakMap<Console, Board>()

/** The board of a console, made when the board's screen is first opened and kept while the page lives. */
export const boardOf = (console: Console): Board => {
  const known = boards.get(console)
  if (known !== undefined) return known
  const store = new BoardStore(console)
  const board = { store, actions: new BoardActions(store), choices: new BoardChoices(console, store.calls) }
  boards.set(console, board)
  return board
}

import type { Client } from "../client/Client.ts"
import type { Readable } from "../common/readable.ts"
import { type BoardActions, createBoardActions } from "./BoardActions.ts"
import { type BoardChoices, createBoardChoices } from "./BoardChoices.ts"
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

const boards = new WeakMap<Client, Board>()

/** A console's board, created when the board screen is first opened and kept for the life of the page. */
export const boardOf = (client: Client): Board => {
  const known = boards.get(client)
  if (known !== undefined) return known
  const store = createBoardStore(client)
  const board = {
    store,
    actions: createBoardActions(store),
    choices: createBoardChoices(client, store.calls),
    views: createBoardViews(client),
    costs: createCardCosts(client).state
  }
  boards.set(client, board)
  return board
}

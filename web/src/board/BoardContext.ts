import { createContextId, type Signal, useContext } from "@builder.io/qwik"
import type { BoardState } from "../core/board/BoardStore.ts"
import type { Board } from "../core/board/boardOf.ts"
import type { TaskStatus } from "../core/board/boardTypes.ts"
import type { Place } from "../core/board/columnOrder.ts"
import type { MoveQuestion } from "../core/board/moveRules.ts"

/** A move that waits for a person's decision. */
export interface AskedMove {
  readonly ids: ReadonlyArray<string>
  readonly status: TaskStatus
  readonly place: Place
  readonly question: MoveQuestion
}

/** Which card's menu is open, and where its button is. */
export interface OpenMenu {
  readonly id: string
  readonly anchor: DOMRect
}

/** What the parts of the board's screen share. */
export interface BoardUi extends Board {
  readonly state: Signal<BoardState>
  /** Cards chosen for doing something to several at once. */
  readonly selected: Signal<ReadonlySet<string>>
  /** Clicking a card chooses it. */
  readonly selecting: Signal<boolean>
  readonly menu: Signal<OpenMenu | null>
  readonly asked: Signal<AskedMove | null>
  /** The last thing said to screen readers. */
  readonly said: Signal<string>
}

export const BoardContext = createContextId<BoardUi>("agent-console.board")

/** The board's shared state, for the parts of its screen. */
export const useBoard = (): BoardUi => useContext(BoardContext)

import { createContextId, type Signal, useContext } from "@builder.io/qwik"
import type { TaskStatus } from "../../../src/contract/board.ts"
import type { BoardState } from "../core/board/BoardStore.ts"
import type { Board } from "../core/board/boardOf.ts"
import type { CardWait } from "../core/board/boardTypes.ts"
import type { Place } from "../core/board/columns.ts"
import type { MoveQuestion } from "../core/board/moveRules.ts"

/** A move waiting for a person's decision. */
export interface AskedMove {
  readonly ids: ReadonlyArray<string>
  readonly status: TaskStatus
  readonly place: Place
  readonly question: MoveQuestion
  /** Where somebody else moved the card while it was dragged. */
  readonly elsewhere: TaskStatus | null
}

/** A field that can be changed in the list. */
export type CardField = "status" | "priority" | "assignee"

/** The card whose menu is open, and where its button is; with a field, the menu of that field's values. */
export interface OpenMenu {
  readonly id: string
  readonly anchor: DOMRect
  readonly field?: CardField
}

/** The card that a link is asked for, and of which kind. */
export interface AskedLink {
  readonly id: string
  readonly kind: "after" | "parent"
}

/** A card that was to start although it waits for something. */
export interface BlockedStart {
  readonly id: string
  readonly waitsFor: ReadonlyArray<CardWait>
}

/** What the parts of the board screen share. */
export interface BoardUi extends Board {
  readonly state: Signal<BoardState>
  /** Cards selected for an action on several at once. */
  readonly selected: Signal<ReadonlySet<string>>
  /** Clicking a card selects it. */
  readonly selecting: Signal<boolean>
  readonly menu: Signal<OpenMenu | null>
  readonly asked: Signal<AskedMove | null>
  readonly linking: Signal<AskedLink | null>
  readonly blocked: Signal<BlockedStart | null>
  /** The card that is drawn however far it's scrolled away: the focused, dragged or wanted one. */
  readonly kept: Signal<string | null>
  /** Counts how often a column drew other cards. */
  readonly drawn: Signal<number>
  /** The last announcement to screen readers. */
  readonly said: Signal<string>
}

export const BoardContext = createContextId<BoardUi>("agent-console.board")

export const useBoard = (): BoardUi => useContext(BoardContext)

import type { KeyValueStorage } from "../link/Environment.ts"
import type { Task } from "./boardTypes.ts"

const KEY = "agent-console:last-board"
/** A larger board isn't kept, since drafts and settings need the browser's room more. */
const MAX_CHARS = 1_000_000

/** The cards in the server's order, and when they were read. */
export interface LastBoard {
  readonly at: number
  readonly tasks: ReadonlyArray<Task>
}

/** Keeps the board that was read last, to be shown while the console can't be reached. */
export const keepBoard = (storage: KeyValueStorage, board: LastBoard): void => {
  try {
    const text = JSON.stringify(board)
    if (text.length <= MAX_CHARS) storage.setItem(KEY, text)
    else storage.removeItem(KEY)
  } catch {
    // Without room only the view while offline is lost.
  }
}

/** The board that was read last; null if none was kept. */
export const lastBoard = (storage: KeyValueStorage): LastBoard | null => {
  try {
    return JSON.parse(storage.getItem(KEY) ?? "null")
  } catch {
    return null
  }
}

/** Forgets the board, when whoever read it signs out. */
export const forgetBoard = (storage: KeyValueStorage): void => storage.removeItem(KEY)

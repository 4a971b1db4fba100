import type { TaskStatus } from "../../../../src/contract/board.ts"
import { say, sayCount } from "../language/say.ts"

const EMPTY: Readonly<Record<TaskStatus, string>> = {
  backlog: say("Ideas for later."),
  todo: say("What to do next."),
  "in-progress": say("Nothing in progress."),
  review: say("Nothing to review."),
  done: say("Nothing done yet."),
  cancelled: say("Nothing cancelled.")
}

/** How many cards a column shows and has. */
export interface ColumnCount {
  /** Cards shown. */
  readonly shown: number
  /** Cards in the column, shown or not. */
  readonly total: number
  /** 0 means no limit. */
  readonly wipLimit: number
  readonly filtering: boolean
}

/** A column's count: matches while searching or filtering, else its cards and their limit. */
export const countText = ({ shown, total, wipLimit, filtering }: ColumnCount): string =>
  filtering ? String(shown) : wipLimit > 0 ? say("{total} of {limit}", { total, limit: wipLimit }) : String(total)

/** Whether a column has as many cards as it may have; 0 means no limit. */
export const isFull = (total: number, wipLimit: number): boolean => wipLimit > 0 && total >= wipLimit

/** A column's name for screen readers, with its count. */
export const columnLabel = (title: string, count: ColumnCount): string => {
  const { shown, total, wipLimit, filtering } = count
  if (filtering) return sayCount(shown, "{title}, {count} match", "{title}, {count} matches", { title })
  return wipLimit > 0 && total !== 1
    ? say("{title}, {total} of {limit} cards", { title, total, limit: wipLimit })
    : sayCount(total, "{title}, {count} card", "{title}, {count} cards", { title })
}

/** What a column without cards to show says. */
export const emptyText = (status: TaskStatus, filtering: boolean): string =>
  filtering ? say("No matches") : EMPTY[status]

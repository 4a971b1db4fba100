import type { TaskStatus } from "../../../../src/contract/answers/BoardAnswers.ts"

const EMPTY: Readonly<Record<TaskStatus, string>> = {
  backlog: "Ideas for later.",
  todo: "What to do next.",
  "in-progress": "Nothing in progress.",
  review: "Nothing to review.",
  done: "Nothing done yet.",
  cancelled: "Nothing cancelled."
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
  filtering ? String(shown) : wipLimit > 0 ? `${total} of ${wipLimit}` : String(total)

/** A column's name for screen readers, with its count. */
export const columnLabel = (title: string, count: ColumnCount): string => {
  const { shown, total, filtering } = count
  if (filtering) return `${title}, ${shown === 1 ? "1 match" : `${shown} matches`}`
  return `${title}, ${total === 1 ? "1 card" : `${countText(count)} cards`}`
}

/** What a column without cards to show says. */
export const emptyText = (status: TaskStatus, filtering: boolean): string => (filtering ? "No matches" : EMPTY[status])

import { DEFAULT_TITLES, TASK_STATUSES, type TaskStatus } from "../../../../src/contract/board.ts"
import { say, sayCount } from "../language/say.ts"
import type { BoardColumn, BoardConfig } from "./boardTypes.ts"

/** The titles of a new board's columns in the page's language. */
const TRANSLATED: Readonly<Record<TaskStatus, string>> = {
  backlog: say("Backlog"),
  todo: say("To Do"),
  "in-progress": say("In Progress"),
  review: say("Review"),
  done: say("Done"),
  cancelled: say("Cancelled")
}

type Titled = Pick<BoardColumn, "key" | "title">

/** A column's title as people see it: in the page's language until somebody changes it, then as it was typed. */
export const shownTitle = ({ key, title }: Titled): string => (title === DEFAULT_TITLES[key] ? TRANSLATED[key] : title)

/** The title to save for one that was shown or typed, so that an unchanged one stays in everybody's own language. */
export const storedTitle = ({ key, title }: Titled): string => (title === TRANSLATED[key] ? DEFAULT_TITLES[key] : title)

/** A column's name on this board. */
export const columnTitle = (config: BoardConfig | null, status: TaskStatus): string => {
  const column = config?.columns.find(({ key }) => key === status)
  return column === undefined ? TRANSLATED[status] : shownTitle(column)
}

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

/** The card ids of each column, in order. */
export type ColumnOrder = Readonly<Record<TaskStatus, ReadonlyArray<string>>>

/** Where a card should go in its new column: next to another card, or at an end. */
export type Place =
  | "start"
  | "end"
  | { readonly before: string }
  | { readonly after: string }
  | { readonly index: number }

export const NO_ORDER: ColumnOrder = {
  backlog: [],
  todo: [],
  "in-progress": [],
  review: [],
  done: [],
  cancelled: []
}

/** The column a card is in, if any. */
export const columnOfCard = (order: ColumnOrder, id: string): TaskStatus | null =>
  TASK_STATUSES.find((status) => order[status].includes(id)) ?? null

/** The columns without one card; columns that didn't have it stay the same object. */
export const withoutCard = (order: ColumnOrder, id: string): ColumnOrder => {
  const status = columnOfCard(order, id)
  return status === null ? order : { ...order, [status]: order[status].filter((other) => other !== id) }
}

/**
 * The index a position means in a column, not counting the card itself. A neighbour that no longer exists means the
 * end.
 */
export const indexOfPlace = (column: ReadonlyArray<string>, id: string, place: Place): number => {
  const others = column.filter((other) => other !== id)
  if (place === "start") return 0
  if (place === "end") return others.length
  if ("index" in place) return Math.min(Math.max(0, place.index), others.length)
  const neighbour = others.indexOf("before" in place ? place.before : place.after)
  if (neighbour === -1) return others.length
  return "before" in place ? neighbour : neighbour + 1
}

/** The columns with a card placed in one of them. */
export const withCardAt = (order: ColumnOrder, id: string, status: TaskStatus, place: Place): ColumnOrder => {
  const index = indexOfPlace(order[status], id, place)
  if (order[status][index] === id) return order
  const rest = withoutCard(order, id)
  return { ...rest, [status]: rest[status].toSpliced(index, 0, id) }
}

/** A column as it is drawn. */
export interface ShownColumn {
  readonly key: TaskStatus
  readonly title: string
  /** 0 means no limit. */
  readonly wipLimit: number
  /** The configuration hides it; it is shown because someone asked for it. */
  readonly hidden: boolean
}

/** Every possible column: the configured ones in order, then the others. */
export const allColumns = (config: BoardConfig | null): ReadonlyArray<ShownColumn> => {
  const named = (config?.columns ?? []).map(({ key, wipLimit, visible }) => ({
    key,
    title: columnTitle(config, key),
    wipLimit,
    hidden: !visible
  }))
  const others = TASK_STATUSES.filter((status) => named.every(({ key }) => key !== status))
  return [
    ...named,
    ...others.map((key) => ({ key, title: columnTitle(config, key), wipLimit: 0, hidden: config !== null }))
  ]
}

import { TASK_STATUSES, type TaskStatus } from "../../../../src/contract/board.ts"

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

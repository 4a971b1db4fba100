import { TASK_STATUSES, type TaskStatus } from "./boardTypes.ts"

/** The ids of the cards of each column, in their order. */
export type ColumnOrder = Readonly<Record<TaskStatus, ReadonlyArray<string>>>

/** Where a card is to stand in its new column: beside another card, or at an end. */
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

/** The column a card stands in, if it stands in any. */
export const columnOfCard = (order: ColumnOrder, id: string): TaskStatus | null =>
  TASK_STATUSES.find((status) => order[status].includes(id)) ?? null

/** The columns without one card; columns that did not have it stay the same object. */
export const withoutCard = (order: ColumnOrder, id: string): ColumnOrder => {
  const status = columnOfCard(order, id)
  return status === null ? order : { ...order, [status]: order[status].filter((other) => other !== id) }
}

/**
 * The index a place means in a column, counted without the card itself. A neighbour that is not there any more means
 * the end.
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

/** The columns with a card put at a place of a column. */
export const withCardAt = (order: ColumnOrder, id: string, status: TaskStatus, place: Place): ColumnOrder => {
  const index = indexOfPlace(order[status], id, place)
  if (order[status][index] === id) return order
  const rest = withoutCard(order, id)
  return { ...rest, [status]: rest[status].toSpliced(index, 0, id) }
}

import { TASK_PRIORITIES, type TaskSort, type TaskStatus } from "../../../../src/contract/board.ts"
import { pageLocale } from "../language/say.ts"
import type { Task } from "./boardTypes.ts"
import type { ShownColumn } from "./columns.ts"
import { dueOrder } from "./dueDay.ts"
import type { VisibleColumns } from "./visibleBoard.ts"

/** How a list is sorted within its groups; null is the board's own order. */
export interface ListSort {
  readonly by: TaskSort
  readonly descending: boolean
}

/** What cards cost, by their ids. */
export type CardCosts = ReadonlyMap<string, number>

/** A row of the list: a group's heading, or one of its cards. */
export type ListRow =
  | { readonly kind: "group"; readonly key: TaskStatus; readonly title: string; readonly count: number }
  | { readonly kind: "task"; readonly key: string; readonly task: Task }

const words = new Intl.Collator(pageLocale, { numeric: true, sensitivity: "base" })

/** What a card is compared by; null always comes last. */
const valueOf = (task: Task, by: TaskSort, costs: CardCosts): string | number | null => {
  switch (by) {
    case "title":
      return task.title
    case "priority":
      return TASK_PRIORITIES.indexOf(task.priority)
    case "assignee":
      return task.assignee
    case "labels":
      return task.labels.length === 0 ? null : task.labels.join("\n")
    case "due":
      return task.dueAt === null ? null : dueOrder(task.dueAt)
    case "updated":
      return task.updatedAt
    case "cost":
      return costs.get(task.id) ?? null
    case "status":
      return 0
  }
}

const compared = (a: string | number, b: string | number): number =>
  typeof a === "number" && typeof b === "number" ? a - b : words.compare(String(a), String(b))

/** A group's cards in the order of the list; those without a value come last either way. */
export const sortedTasks = (
  tasks: ReadonlyArray<Task>,
  sort: ListSort | null,
  costs: CardCosts
): ReadonlyArray<Task> => {
  if (sort === null || sort.by === "status") return tasks
  const sign = sort.descending ? -1 : 1
  return tasks
    .map((task) => ({ task, value: valueOf(task, sort.by, costs) }))
    .toSorted((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null)
      return sign * compared(a.value, b.value)
    })
    .map(({ task }) => task)
}

/** Everything a list shows, from top to bottom; columns without cards are left out. */
export const listRows = (
  columns: ReadonlyArray<ShownColumn>,
  cards: VisibleColumns,
  sort: ListSort | null,
  costs: CardCosts
): ReadonlyArray<ListRow> => {
  const inOrder = sort?.by === "status" && sort.descending ? columns.toReversed() : columns
  return inOrder.flatMap(({ key, title }): ReadonlyArray<ListRow> => {
    const tasks = sortedTasks(cards[key], sort, costs)
    if (tasks.length === 0) return []
    return [
      { kind: "group", key, title, count: tasks.length },
      ...tasks.map((task): ListRow => ({ kind: "task", key: task.id, task }))
    ]
  })
}

/** The sort after a column's heading was pressed: ascending, descending, then the board's own order. */
export const nextSort = (sort: ListSort | null, by: TaskSort): ListSort | null => {
  if (sort?.by !== by) return { by, descending: false }
  return sort.descending ? null : { by, descending: true }
}

/** The next card above or below in the list; the edge stays. */
export const rowBeside = (rows: ReadonlyArray<ListRow>, id: string, step: number): number => {
  const from = rows.findIndex((row) => row.key === id)
  const sign = step < 0 ? -1 : 1
  let at = Math.min(rows.length - 1, Math.max(0, from + step))
  while (rows[at]?.kind === "group") at += sign
  if (rows[at] !== undefined) return at
  return from
}

/** The rows to draw for a scrolled list, in steps, so that not every pixel draws. */
export const shownRows = (
  total: number,
  view: { readonly top: number; readonly height: number; readonly row: number }
): { readonly from: number; readonly to: number } => {
  const step = 8
  const first = Math.floor(view.top / view.row / step) * step
  const from = Math.max(0, Math.min(first, total) - step)
  return { from, to: Math.min(total, first + Math.ceil(view.height / view.row) + 2 * step) }
}

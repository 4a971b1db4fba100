import { TASK_STATUSES, type TaskStatus } from "../../../../src/contract/board.ts"
import type { BoardData } from "./BoardData.ts"
import type { Task, TaskChanges } from "./boardTypes.ts"
import { type ColumnOrder, type Place, withCardAt, withoutCard } from "./columns.ts"
import { changedFields, sameValue, withChanges } from "./mergeTask.ts"

/** Something a person did that the server hasn't confirmed yet. */
export type PendingChange = { readonly id: string } & (
  | { readonly kind: "move"; readonly status: TaskStatus; readonly place: Place }
  | { readonly kind: "patch"; readonly changes: TaskChanges }
  | { readonly kind: "remove" }
  | { readonly kind: "step" }
)

/** The cards of each column, as they are shown. */
export type VisibleColumns = Readonly<Record<TaskStatus, ReadonlyArray<Task>>>

export const NO_CARDS: VisibleColumns = {
  backlog: [],
  todo: [],
  "in-progress": [],
  review: [],
  done: [],
  cancelled: []
}

/** The same object as before if nothing changed, so that only changes are redrawn. */
const reused = (before: Task | undefined, now: Task): Task =>
  before !== undefined &&
  before.version === now.version &&
  before.run === now.run &&
  before.feedback === now.feedback &&
  before.status === now.status &&
  changedFields(now).every((field) => sameValue(before[field], now[field]))
    ? before
    : now

/** What the server said, with everything pending applied. */
export const visibleBoard = (
  data: Pick<BoardData, "order" | "find" | "all">,
  pending: ReadonlyArray<PendingChange>,
  before: VisibleColumns
): VisibleColumns => {
  let order: ColumnOrder = data.order
  const overlaid = new Map<string, Task>()
  for (const change of pending) {
    const task = overlaid.get(change.id) ?? data.find(change.id)
    if (task === undefined) continue
    switch (change.kind) {
      case "move":
        order = withCardAt(order, change.id, change.status, change.place)
        if (task.status !== change.status) overlaid.set(change.id, { ...task, status: change.status })
        break
      case "patch":
        overlaid.set(change.id, withChanges(task, change.changes))
        break
      case "remove":
        order = withoutCard(order, change.id)
        break
      case "step":
        break
    }
  }
  const shown: Record<TaskStatus, ReadonlyArray<Task>> = { ...NO_CARDS }
  for (const status of TASK_STATUSES) {
    const old = before[status]
    const known = overlaid.size === 0 ? null : new Map(old.map((task) => [task.id, task]))
    const cards = order[status].flatMap((id) => {
      const over = overlaid.get(id)
      const task = over === undefined ? data.find(id) : reused(known?.get(id), over)
      return task === undefined ? [] : [task]
    })
    shown[status] = cards.length === old.length && cards.every((task, index) => task === old[index]) ? old : cards
  }
  return shown
}

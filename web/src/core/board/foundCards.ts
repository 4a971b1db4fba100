import { TASK_STATUSES } from "../../../../src/contract/board.ts"
import { isOver, type Task } from "./boardTypes.ts"
import type { VisibleColumns } from "./visibleBoard.ts"

/** Cards by words of their titles: those that aren't over first, then what changed last. */
export const foundCards = (
  columns: VisibleColumns,
  typed: string,
  isLeftOut: (task: Task) => boolean,
  most: number
): ReadonlyArray<Task> => {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return TASK_STATUSES.flatMap((status) => columns[status])
    .filter((task) => !isLeftOut(task) && words.every((word) => task.title.toLowerCase().includes(word)))
    .sort((a, b) => Number(isOver(a)) - Number(isOver(b)) || b.updatedAt - a.updatedAt)
    .slice(0, most)
}

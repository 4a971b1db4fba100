import type { TaskStatus } from "../../../../src/contract/board.ts"
import type { Task } from "./boardTypes.ts"
import type { VisibleColumns } from "./visibleBoard.ts"

export type Direction = "up" | "down" | "left" | "right"

/** The direction an arrow key means, null for any other key. */
export const directionOf = (key: string): Direction | null => {
  switch (key) {
    case "ArrowUp":
      return "up"
    case "ArrowDown":
      return "down"
    case "ArrowLeft":
      return "left"
    case "ArrowRight":
      return "right"
    default:
      return null
  }
}

/** A card's column and its index among the shown cards. */
export interface Spot {
  readonly status: TaskStatus
  readonly index: number
}

/** Where a card is shown. */
export const spotOf = (columns: VisibleColumns, shown: ReadonlyArray<TaskStatus>, id: string): Spot | null => {
  for (const status of shown) {
    const index = columns[status].findIndex((task) => task.id === id)
    if (index !== -1) return { status, index }
  }
  return null
}

/** The card an arrow key leads to; sideways it skips empty columns and keeps the height. */
export const neighbour = (
  columns: VisibleColumns,
  shown: ReadonlyArray<TaskStatus>,
  id: string,
  direction: Direction
): Task | null => {
  const spot = spotOf(columns, shown, id)
  if (spot === null) return shown.flatMap((status) => columns[status][0] ?? [])[0] ?? null
  if (direction === "up") return columns[spot.status][spot.index - 1] ?? null
  if (direction === "down") return columns[spot.status][spot.index + 1] ?? null
  const step = direction === "left" ? -1 : 1
  for (let at = shown.indexOf(spot.status) + step; at >= 0 && at < shown.length; at += step) {
    const status = shown[at]
    const tasks = status === undefined ? [] : columns[status]
    const found = tasks[Math.min(spot.index, tasks.length - 1)]
    if (found !== undefined) return found
  }
  return null
}

/** The column next to a card's, where Alt and an arrow key move it; null at the edges. */
export const columnBeside = (
  shown: ReadonlyArray<TaskStatus>,
  status: TaskStatus,
  direction: "left" | "right"
): TaskStatus | null => shown[shown.indexOf(status) + (direction === "left" ? -1 : 1)] ?? null

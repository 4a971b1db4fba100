import type { TaskPriority } from "../../../../src/contract/board.ts"
import { isOverdue } from "./boardFilter.ts"
import { isRunning, type Task } from "./boardTypes.ts"
import type { VisibleColumns } from "./visibleBoard.ts"

/** Why a card needs attention. */
export type AttentionReason = "review" | "failed" | "overdue"

export interface AttentionEntry {
  readonly task: Task
  readonly reason: AttentionReason
}

const REASONS: ReadonlyArray<AttentionReason> = ["review", "failed", "overdue"]
const PRIORITIES: ReadonlyArray<TaskPriority> = ["critical", "high", "normal", "low"]

const reasonOf = (task: Task, now: number): AttentionReason | null => {
  if (task.status === "review") return "review"
  if (task.status === "todo" && !isRunning(task) && task.run?.status === "error") return "failed"
  return isOverdue(task, now) ? "overdue" : null
}

/** Cards waiting for a person: work to review, failed runs, overdue dates; most urgent first. */
export const attention = (columns: VisibleColumns, now: number): ReadonlyArray<AttentionEntry> =>
  Object.values(columns)
    .flatMap((tasks) =>
      tasks.flatMap((task) => {
        const reason = reasonOf(task, now)
        return reason === null ? [] : [{ task, reason }]
      })
    )
    .sort(
      (a, b) =>
        REASONS.indexOf(a.reason) - REASONS.indexOf(b.reason) ||
        PRIORITIES.indexOf(a.task.priority) - PRIORITIES.indexOf(b.task.priority) ||
        a.task.updatedAt - b.task.updatedAt
    )

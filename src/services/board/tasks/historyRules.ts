import type { HistoryEntry } from "../../../contract/schema/task.ts"
import type { TaskChange, TaskContent } from "./taskRules.ts"

/** Most entries a card keeps; the oldest go first. */
export const MAX_HISTORY = 100

/** The change with who made it, if it took the card to another column and the board knows who that was. */
export const withHistory = (
  before: TaskContent,
  change: TaskChange,
  did: HistoryEntry["what"] | undefined,
  by: string | undefined
): TaskChange => {
  const { task } = change
  if (did === undefined || by === undefined || before.status === task.status) return change
  const entry = { at: task.updatedAt, by, what: did, from: before.status, to: task.status }
  return { ...change, task: { ...task, history: [...(before.history ?? []), entry].slice(-MAX_HISTORY) } }
}

import { type BoardConfig, isRunning, type Task, type TaskStatus } from "./boardTypes.ts"

/** What stands between a card and its new column; a person is told and decides (D41, D42). */
export type MoveQuestion =
  /** The column holds as many cards as its limit allows. */
  | { readonly kind: "full"; readonly title: string; readonly limit: number }
  /** Cards go through review before they are done. */
  | { readonly kind: "needsReview" }
  /** The card is in review: being done is an approval. */
  | { readonly kind: "approval" }
  /** An agent is working on the card and would be stopped. */
  | { readonly kind: "stopsRun" }

/** The first question a move raises; null when it may go ahead. `counts` says how many cards each column holds. */
export const moveQuestion = (
  task: Pick<Task, "status" | "run">,
  to: TaskStatus,
  config: BoardConfig | null,
  counts: Readonly<Record<TaskStatus, number>>
): MoveQuestion | null => {
  if (task.status === to) return null
  const column = config?.columns.find(({ key }) => key === to)
  if (column !== undefined && column.wipLimit > 0 && counts[to] >= column.wipLimit)
    return { kind: "full", title: column.title, limit: column.wipLimit }
  if (to === "done" && config?.reviewRequired === true) {
    if (task.status === "review") return { kind: "approval" }
    if (!config.allowDoneDragBypass) return { kind: "needsReview" }
  }
  return isRunning(task) ? { kind: "stopsRun" } : null
}

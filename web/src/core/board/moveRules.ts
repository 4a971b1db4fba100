import type { TaskStatus } from "../../../../src/contract/board.ts"
import { type BoardConfig, isRunning, type Task } from "./boardTypes.ts"
import { shownTitle } from "./columns.ts"

/** What stops a card from moving to its new column; a person is told and decides. */
export type MoveQuestion =
  /** The column has as many cards as its limit allows. */
  | { readonly kind: "full"; readonly title: string; readonly limit: number }
  /** An agent's work goes through review before it is done. */
  | { readonly kind: "needsReview" }
  /** The card is in review: moving it to done is an approval. */
  | { readonly kind: "approval" }
  /** An agent is working on the card and would be stopped. */
  | { readonly kind: "stopsRun" }

/** Whether a card is an agent's work; what people do themselves needs no review. */
const isAgentsWork = (task: Pick<Task, "assignee" | "run">): boolean =>
  task.run !== null || task.assignee?.startsWith("agent:") === true

/** The first question a move raises; null if it can go ahead. `counts` is the number of cards in each column. */
export const moveQuestion = (
  task: Pick<Task, "status" | "run" | "assignee">,
  to: TaskStatus,
  config: BoardConfig | null,
  counts: Readonly<Record<TaskStatus, number>>
): MoveQuestion | null => {
  if (task.status === to) return null
  const column = config?.columns.find(({ key }) => key === to)
  if (column !== undefined && column.wipLimit > 0 && counts[to] >= column.wipLimit)
    return { kind: "full", title: shownTitle(column), limit: column.wipLimit }
  if (to === "done" && config?.reviewRequired === true) {
    if (task.status === "review") return { kind: "approval" }
    if (!config.allowDoneDragBypass && isAgentsWork(task)) return { kind: "needsReview" }
  }
  return isRunning(task) ? { kind: "stopsRun" } : null
}

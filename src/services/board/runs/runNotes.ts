import type { KanbanChange } from "../../../contract/schema/kanbanChange.ts"
import type { Task } from "../../../contract/schema/task.ts"
import type { RunChange, RunNote } from "../boardEvents.ts"
import { agentOfRun } from "./runPrompt.ts"

const MAX_TITLE = 80

const titleOf = ({ title }: Task): string => {
  const letters = Array.from(title.replace(/\s+/g, " ").trim())
  return `“${letters.length <= MAX_TITLE ? letters.join("") : `${letters.slice(0, MAX_TITLE - 1).join("")}…`}”`
}

const agentOf = (sessionKey: string): string => `Agent ${agentOfRun(sessionKey)}`

const dataOf = (task: Task, sessionKey: string) => ({ taskId: task.id, sessionKey })

const started = (task: Task, sessionKey: string): RunNote => ({
  type: "run",
  level: "info",
  message: `${agentOf(sessionKey)} started working on ${titleOf(task)}.`,
  data: dataOf(task, sessionKey)
})

const ended = (task: Task, sessionKey: string): RunNote | undefined => {
  const note = (level: RunNote["level"], message: string): RunNote => ({
    type: "run",
    level,
    message,
    data: dataOf(task, sessionKey)
  })
  const agent = agentOf(sessionKey)
  switch (task.run?.status) {
    case "done":
      return note(
        "info",
        `${agent} finished ${titleOf(task)}${task.status === "review" ? ", which is ready for review" : ""}.`
      )
    case "error":
      return note("error", `${agent} didn't finish ${titleOf(task)}: ${task.run.error ?? "the run failed"}.`)
    case "aborted":
      return note("warning", `${agent} was stopped while working on ${titleOf(task)}.`)
    default:
      return undefined
  }
}

/** Log lines for runs that a board change started or ended. */
export const runNotes = (
  changes: ReadonlyArray<KanbanChange>,
  runs: ReadonlyArray<RunChange>
): ReadonlyArray<RunNote> => {
  const taskOf = (sessionKey: string) => changes.findLast(({ task }) => task?.run?.sessionKey === sessionKey)?.task
  return runs.flatMap((change) => {
    // A run that goes on was noted when it started.
    if (change.type === "resumed") return []
    const sessionKey = change.type === "started" ? change.order.sessionKey : change.sessionKey
    const task = taskOf(sessionKey)
    if (task === undefined) return []
    const note = change.type === "started" ? started(task, sessionKey) : ended(task, sessionKey)
    return note === undefined ? [] : [note]
  })
}

/** Log lines for invalid markers in the answer of a task's last run. */
export const markerNotes = (task: Task, faults: ReadonlyArray<string>): ReadonlyArray<RunNote> => {
  const sessionKey = task.run?.sessionKey ?? ""
  return faults.map((fault) => ({
    type: "marker",
    level: "warning",
    message: `In the answer to ${titleOf(task)}, ${fault}.`,
    data: dataOf(task, sessionKey)
  }))
}

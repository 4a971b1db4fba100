import { TASK_PRIORITIES, type TaskPriority } from "../../../contract/board.ts"
import type { RunLink } from "../../../contract/schema/task.ts"
import type { TaskChanges } from "../../../contract/schema/taskInputs.ts"
import type { TaskChange, TaskContent } from "../tasks/taskRules.ts"

const MINUTE_MS = 60_000

/** So many automatic starts of one card within this time are the last ones. */
export const MAX_STARTS = 10
export const STARTS_COUNT_MS = 24 * 60 * MINUTE_MS
/** So many failed automatic runs within this time switch automatic starts off. */
export const MAX_FAILURES = 6
export const FAILURES_COUNT_MS = 10 * MINUTE_MS

/** A card's place among those that could start: by priority, then by its place in the column. */
interface Ranked {
  readonly priority: TaskPriority
  readonly rank: number
}

export const byPriority = (a: Ranked, b: Ranked): number =>
  TASK_PRIORITIES.indexOf(a.priority) - TASK_PRIORITIES.indexOf(b.priority) || a.rank - b.rank

/** The start of a run as one that nobody asked for. */
export const asAutomatic = (before: TaskContent, started: TaskChange): TaskChange => {
  const { run } = started.task
  if (run === undefined) return started
  const failures = before.run?.status === "error" ? (before.run.automatic?.failures ?? 0) : 0
  return {
    ...started,
    task: {
      ...started.task,
      attempts: (before.attempts ?? 0) + 1,
      run: { ...run, automatic: { failures, gaveUp: false } }
    }
  }
}

const failedAgain = (task: TaskContent, run: RunLink, now: number): TaskContent => {
  const failures = (run.automatic?.failures ?? 0) + 1
  const { autoStart, retry } = task
  return autoStart && retry !== undefined && failures <= retry.max
    ? { ...task, run: { ...run, automatic: { failures, gaveUp: false } }, startAt: now + retry.waitMin * MINUTE_MS }
    : { ...task, run: { ...run, automatic: { failures, gaveUp: true } }, autoStart: false }
}

/**
 * What the end of a run means for automatic starts: after a failed automatic one, another try or none; after one that
 * was stopped, none, because whoever stopped it doesn't want it to begin again.
 */
export const afterRun = (change: TaskChange, now: number): TaskChange => {
  const run = change.ended?.run
  if (run === undefined) return change
  if (run.status === "aborted") return { ...change, task: { ...change.task, autoStart: false } }
  if (run.status !== "error" || run.automatic === undefined) return change
  return { ...change, task: failedAgain(change.task, run, now) }
}

type Startable = "status" | "after" | "assignee" | "autoStart" | "startAt"

/** Whether a change can be what makes a card start by itself: the right to run is for those that make one. */
export const letsStart = (
  before: Pick<TaskContent, Startable>,
  { after, assignee, autoStart, retry, startAt, status = before.status }: Pick<TaskChanges, Startable | "retry">
): boolean => {
  if (autoStart === true) return true
  if (!before.autoStart || autoStart !== undefined) return false
  // A run that failed may be tried again, whatever the card's column is.
  if (retry != null) return true
  if (status !== "todo") return false
  const isFreed = after !== undefined && before.after.some((id) => after?.includes(id) !== true)
  const isEarlier = startAt !== undefined && before.startAt !== undefined && (startAt ?? 0) < before.startAt
  // Another agent may be free.
  const isHandedOver = assignee !== undefined && assignee !== before.assignee
  return before.status !== "todo" || isFreed || isEarlier || isHandedOver
}

/** A card that started too often doesn't start by itself again. */
export const startedTooOften = (task: TaskContent, now: number): TaskChange => {
  const { run } = task
  return {
    task: {
      ...task,
      version: task.version + 1,
      updatedAt: Math.max(now, task.updatedAt),
      autoStart: false,
      ...(run?.status === "error" && run.automatic !== undefined
        ? { run: { ...run, automatic: { ...run.automatic, gaveUp: true } } }
        : {})
    },
    place: "keep"
  }
}

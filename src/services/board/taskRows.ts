import { Schema } from "effect"
import type { SqlValue } from "../sqlite/Sqlite.ts"
import { optionalEntry } from "./optionalEntry.ts"
import { FeedbackEntry, RunLink, TASK_STATUSES, TaskPriority, type TaskStatus, ThinkingLevel } from "./task.ts"
import type { TaskContent } from "./taskRules.ts"

/** A task's row with its texts and feedback, as `SELECT_TASK` and `selectPage` give it. */
const TaskRow = Schema.Struct({
  seq: Schema.Int,
  id: Schema.String,
  status: Schema.Int,
  rank: Schema.Int,
  version: Schema.Int,
  title: Schema.String,
  priority: TaskPriority,
  created_by: Schema.String,
  created_at: Schema.Int,
  updated_at: Schema.Int,
  source_session_key: Schema.NullOr(Schema.String),
  assignee: Schema.NullOr(Schema.String),
  labels: Schema.String,
  run: Schema.NullOr(Schema.String),
  run_count: Schema.Int,
  result_at: Schema.NullOr(Schema.Int),
  model: Schema.NullOr(Schema.String),
  thinking: Schema.NullOr(ThinkingLevel),
  due_at: Schema.NullOr(Schema.Int),
  estimate_min: Schema.NullOr(Schema.Finite),
  actual_min: Schema.NullOr(Schema.Finite),
  description: Schema.NullOr(Schema.String),
  result: Schema.NullOr(Schema.String),
  feedback: Schema.NullOr(Schema.String)
})

const WHOLE_TASK = `
  SELECT t.*, x.description, x.result,
    CASE WHEN t.feedback_count = 0 THEN NULL ELSE (
      SELECT json_group_array(json_object('at', f.at, 'by', f.by, 'note', f.note) ORDER BY f.number)
      FROM task_feedback f WHERE f.task = t.seq
    ) END AS feedback`

/** Selects one whole task by its id. */
export const SELECT_TASK = `${WHOLE_TASK} FROM tasks t LEFT JOIN task_texts x ON x.task = t.seq WHERE t.id = ?`

/**
 * Selects a page of whole tasks in board order. The page is cut on the index alone, before any row is read, so tasks
 * that are skipped cost next to nothing.
 */
export const selectPage = (where: string): string => `${WHOLE_TASK}
  FROM (SELECT t.seq FROM tasks t ${where} ORDER BY t.status, t.rank LIMIT ? OFFSET ?) p
  CROSS JOIN tasks t ON t.seq = p.seq LEFT JOIN task_texts x ON x.task = t.seq
  ORDER BY t.status, t.rank`

/** Selects every task in board order. */
export const selectEveryTask = `${WHOLE_TASK}
  FROM tasks t LEFT JOIN task_texts x ON x.task = t.seq ORDER BY t.status, t.rank`

/** A task as it lies in the store: its content and where it is. */
export interface StoredTask {
  readonly seq: number
  readonly rank: number
  readonly runCount: number
  readonly content: TaskContent
}

const decodeRow = Schema.decodeUnknownSync(TaskRow)
// The JSON columns are mostly empty, and decoding them is most of the cost of a row: it is done where there is some.
const decodeLabels = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(Schema.String)))
const decodeRun = Schema.decodeUnknownSync(Schema.fromJsonString(RunLink))
const decodeFeedback = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(FeedbackEntry)))
const NO_LABELS = "[]"

/** The number a column has in the store. */
export const statusNumber = (status: TaskStatus): number => TASK_STATUSES.indexOf(status)

const statusOf = (number: number): TaskStatus => TASK_STATUSES[number] ?? "cancelled"

/** Decodes such a row; a row that does not fit throws, which the store reports. */
export const storedTask = (row: unknown): StoredTask => {
  const r = decodeRow(row)
  const content: TaskContent = {
    id: r.id,
    title: r.title,
    ...optionalEntry("description", r.description),
    status: statusOf(r.status),
    priority: r.priority,
    createdBy: r.created_by,
    createdAt: r.created_at,
    updatedAt: r.updated_at,
    version: r.version,
    ...optionalEntry("sourceSessionKey", r.source_session_key),
    ...optionalEntry("assignee", r.assignee),
    labels: r.labels === NO_LABELS ? [] : decodeLabels(r.labels),
    ...optionalEntry("run", r.run === null ? null : decodeRun(r.run)),
    ...optionalEntry("result", r.result),
    ...optionalEntry("resultAt", r.result_at),
    ...optionalEntry("model", r.model),
    ...optionalEntry("thinking", r.thinking),
    ...optionalEntry("dueAt", r.due_at),
    ...optionalEntry("estimateMin", r.estimate_min),
    ...optionalEntry("actualMin", r.actual_min),
    feedback: r.feedback === null ? [] : decodeFeedback(r.feedback)
  }
  return { seq: r.seq, rank: r.rank, runCount: r.run_count, content }
}

/** The columns of `tasks` after `seq` and `id`, in the order of `taskValues`. */
export const TASK_COLUMNS = [
  "status",
  "rank",
  "version",
  "title",
  "priority",
  "created_by",
  "created_at",
  "updated_at",
  "source_session_key",
  "assignee",
  "labels",
  "run",
  "run_count",
  "result_at",
  "model",
  "thinking",
  "due_at",
  "estimate_min",
  "actual_min",
  "feedback_count"
] as const

/** Values for `TASK_COLUMNS`. */
export const taskValues = (task: TaskContent, rank: number, runCount: number): ReadonlyArray<SqlValue> => [
  statusNumber(task.status),
  rank,
  task.version,
  task.title,
  task.priority,
  task.createdBy,
  task.createdAt,
  task.updatedAt,
  task.sourceSessionKey ?? null,
  task.assignee ?? null,
  JSON.stringify(task.labels),
  task.run === undefined ? null : JSON.stringify(task.run),
  runCount,
  task.resultAt ?? null,
  task.model ?? null,
  task.thinking ?? null,
  task.dueAt ?? null,
  task.estimateMin ?? null,
  task.actualMin ?? null,
  task.feedback.length
]

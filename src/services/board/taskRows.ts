import { Schema } from "effect"
import type { SqlValue } from "../sqlite/Sqlite.ts"
import { isFinite, isInteger, isOneOf, isText, orNull, sqlRow } from "../sqlite/sqlRow.ts"
import { FeedbackEntry, RunLink, TASK_PRIORITIES, TASK_STATUSES, type TaskStatus, THINKING_LEVELS } from "./task.ts"
import type { TaskContent } from "./taskRules.ts"

/**
 * A task's row with its texts and feedback, as `SELECT_TASK` and `selectPage` give it. The tables are STRICT, so a
 * test of each value's type is all that is left to do, and a page of rows is decoded in microseconds.
 */
const TaskRow = sqlRow({
  seq: isInteger,
  id: isText,
  status: isInteger,
  rank: isInteger,
  version: isInteger,
  title: isText,
  priority: isOneOf(TASK_PRIORITIES),
  created_by: isText,
  created_at: isInteger,
  updated_at: isInteger,
  source_session_key: orNull(isText),
  assignee: orNull(isText),
  labels: isText,
  run: orNull(isText),
  run_count: isInteger,
  result_at: orNull(isInteger),
  model: orNull(isText),
  thinking: orNull(isOneOf(THINKING_LEVELS)),
  due_at: orNull(isInteger),
  estimate_min: orNull(isFinite),
  actual_min: orNull(isFinite),
  description: orNull(isText),
  result: orNull(isText),
  feedback: orNull(isText)
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

type Fields = { -readonly [Field in keyof TaskContent]: TaskContent[Field] }

/** Decodes such a row; a row that does not fit throws, which the store reports. */
export const storedTask = (row: unknown): StoredTask => {
  const r = decodeRow(row)
  const content: Fields = {
    id: r.id,
    title: r.title,
    status: statusOf(r.status),
    priority: r.priority,
    createdBy: r.created_by,
    createdAt: r.created_at,
    updatedAt: r.updated_at,
    version: r.version,
    labels: r.labels === NO_LABELS ? [] : decodeLabels(r.labels),
    feedback: r.feedback === null ? [] : decodeFeedback(r.feedback)
  }
  // Assigned one by one: spreading an object for each field that may be absent is half of the cost of a row.
  if (r.description !== null) content.description = r.description
  if (r.source_session_key !== null) content.sourceSessionKey = r.source_session_key
  if (r.assignee !== null) content.assignee = r.assignee
  if (r.run !== null) content.run = decodeRun(r.run)
  if (r.result !== null) content.result = r.result
  if (r.result_at !== null) content.resultAt = r.result_at
  if (r.model !== null) content.model = r.model
  if (r.thinking !== null) content.thinking = r.thinking
  if (r.due_at !== null) content.dueAt = r.due_at
  if (r.estimate_min !== null) content.estimateMin = r.estimate_min
  if (r.actual_min !== null) content.actualMin = r.actual_min
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

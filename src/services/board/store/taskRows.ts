import { Schema } from "effect"
import { TASK_PRIORITIES, TASK_STATUSES, THINKING_LEVELS } from "../../../contract/board.ts"
import { ChecklistItem, FeedbackEntry, HistoryEntry, RunLink, type TaskStatus } from "../../../contract/schema/task.ts"
import { isFinite, isInteger, isOneOf, isRow, isText, orNull } from "../../platform/sqlite/rowGuards.ts"
import type { SqlValue } from "../../platform/sqlite/Sqlite.ts"
import type { TaskContent } from "../tasks/taskRules.ts"
import type { BoardDb } from "./BoardStore.ts"

/**
 * A task's row with its texts and feedback: the values of `wholeTask` in order, as returned by `selectTask` and
 * `selectPage`. The tables are STRICT, so only each value's type needs checking.
 */
const isTaskRow = isRow([
  isInteger,
  isText,
  isInteger,
  isInteger,
  isInteger,
  isText,
  isOneOf(TASK_PRIORITIES),
  isText,
  isInteger,
  isInteger,
  orNull(isText),
  orNull(isText),
  isText,
  orNull(isText),
  isInteger,
  orNull(isInteger),
  orNull(isText),
  orNull(isOneOf(THINKING_LEVELS)),
  orNull(isInteger),
  orNull(isFinite),
  orNull(isFinite),
  orNull(isText),
  orNull(isText),
  orNull(isText),
  orNull(isText),
  orNull(isText),
  orNull(isText),
  orNull(isInteger)
])

const unreadable = () => new TypeError("a task's row has an unexpected form")

/** The two databases' words where they differ; in SQLite, `CROSS JOIN` keeps the order of the tables. */
const WORDS = {
  sqlite: {
    join: "CROSS JOIN",
    feedback: "json_group_array(json_object('at', f.at, 'by', f.by, 'note', f.note) ORDER BY f.number)"
  },
  postgres: {
    join: "JOIN",
    // U+0000 is stored as two marks (`postgresDb.ts`); inside JSON it has to be written as JSON writes it.
    feedback: `replace(
      json_agg(json_build_object('at', f.at, 'by', f.by, 'note', f.note) ORDER BY f.number)::text,
      U&'\\FDD0\\FDD2', '\\u0000')`
  }
} as const

type Dialect = BoardDb["dialect"]

const wholeTask = (dialect: Dialect) => `
  SELECT t.seq, t.id, t.status, t.rank, t.version, t.title, t.priority, t.created_by, t.created_at,
    t.updated_at, t.source_session_key, t.assignee, t.labels, t.run, t.run_count, t.result_at,
    t.model, t.thinking, t.due_at, t.estimate_min, t.actual_min,
    x.description, x.result,
    CASE WHEN t.feedback_count = 0 THEN NULL ELSE (
      SELECT ${WORDS[dialect].feedback}
      FROM task_feedback f WHERE f.task = t.seq
    ) END AS feedback,
    (SELECT h.entries FROM task_history h WHERE h.task = t.seq) AS history,
    (SELECT g.gateway FROM task_gateways g WHERE g.task = t.seq) AS gateway,
    e.checklist, e.comment_count`

const TEXTS = `LEFT JOIN task_texts x ON x.task = t.seq LEFT JOIN task_extras e ON e.task = t.seq`

const one = (dialect: Dialect) => `${wholeTask(dialect)} FROM tasks t ${TEXTS} WHERE t.id = ?`
const ONE_TASK = { sqlite: one("sqlite"), postgres: one("postgres") } as const

/** Selects one whole task by its id. */
export const selectTask = (dialect: Dialect): string => ONE_TASK[dialect]

/** The length of a page that ends with the last task. */
export const EVERY = 2 ** 31 - 1

/**
 * Selects a page of whole tasks in board order. Paging uses only the index, before any row is read, so skipped tasks
 * cost next to nothing.
 */
export const selectPage = (dialect: Dialect, where: string): string => `${wholeTask(dialect)}
  FROM (SELECT t.seq FROM tasks t ${where} ORDER BY t.status, t.rank LIMIT ? OFFSET ?) p
  ${WORDS[dialect].join} tasks t ON t.seq = p.seq ${TEXTS}
  ORDER BY t.status, t.rank`

/** What a page needs to know of a task before its content: the values of `selectHeads` in order. */
const isTaskHead = isRow([isText, isInteger, isInteger, isInteger])

/** Selects a page of tasks as `selectPage` does, without their content. */
export const selectHeads = (_: Dialect, where: string): string => `
  SELECT t.id, t.status, t.rank, t.version FROM tasks t ${where} ORDER BY t.status, t.rank LIMIT ? OFFSET ?`

/** Decodes such a row; throws on an invalid row. `status` is the column's number. */
export const taskHead = (row: unknown) => {
  if (!isTaskHead(row)) throw unreadable()
  const [id, status, rank, version] = row
  return { id, status, rank, version }
}

/** Selects every task in board order. */
export const selectEveryTask = (dialect: Dialect): string => `${wholeTask(dialect)}
  FROM tasks t ${TEXTS} ORDER BY t.status, t.rank`

/** A stored task: its content and its position. */
export interface StoredTask {
  readonly seq: number
  readonly rank: number
  readonly runCount: number
  readonly content: TaskContent
}

// The JSON columns are mostly empty and decoding them is most of a row's cost, so it's only done if needed.
const decodeLabels = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(Schema.String)))
const decodeRun = Schema.decodeUnknownSync(Schema.fromJsonString(RunLink))
const decodeFeedback = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(FeedbackEntry)))
const decodeHistory = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(HistoryEntry)))
const decodeChecklist = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(ChecklistItem)))
const NO_LABELS = "[]"

/** A column's number in the store. */
export const statusNumber = (status: TaskStatus): number => TASK_STATUSES.indexOf(status)

const statusOf = (number: number): TaskStatus => TASK_STATUSES[number] ?? "cancelled"

type Fields = { -readonly [Field in keyof TaskContent]: TaskContent[Field] }

/** Decodes such a row; throws on an invalid row, which the store reports. */
export const storedTask = (row: unknown): StoredTask => {
  if (!isTaskRow(row)) throw unreadable()
  const [
    seq,
    id,
    status,
    rank,
    version,
    title,
    priority,
    createdBy,
    createdAt,
    updatedAt,
    sourceSessionKey,
    assignee,
    labels,
    run,
    runCount,
    resultAt,
    model,
    thinking,
    dueAt,
    estimateMin,
    actualMin,
    description,
    result,
    feedback,
    history,
    gateway,
    checklist,
    commentCount
  ] = row
  const content: Fields = {
    id,
    title,
    status: statusOf(status),
    priority,
    createdBy,
    createdAt,
    updatedAt,
    version,
    labels: labels === NO_LABELS ? [] : decodeLabels(labels),
    feedback: feedback === null ? [] : decodeFeedback(feedback)
  }
  // Assigned one by one: spreading an object per optional field is half of a row's cost.
  if (description !== null) content.description = description
  if (sourceSessionKey !== null) content.sourceSessionKey = sourceSessionKey
  if (assignee !== null) content.assignee = assignee
  if (gateway !== null) content.gatewayId = gateway
  if (run !== null) content.run = decodeRun(run)
  if (result !== null) content.result = result
  if (resultAt !== null) content.resultAt = resultAt
  if (model !== null) content.model = model
  if (thinking !== null) content.thinking = thinking
  if (dueAt !== null) content.dueAt = dueAt
  if (estimateMin !== null) content.estimateMin = estimateMin
  if (actualMin !== null) content.actualMin = actualMin
  if (history !== null) content.history = decodeHistory(history)
  if (checklist !== null) content.checklist = decodeChecklist(checklist)
  if (commentCount !== null && commentCount > 0) content.commentCount = commentCount
  return { seq, rank, runCount, content }
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

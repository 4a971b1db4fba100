import { Schema } from "effect"
import { TASK_PRIORITIES, TASK_STATUSES, THINKING_LEVELS } from "../../../contract/board.ts"
import {
  ChecklistItem,
  FeedbackEntry,
  HistoryEntry,
  Retry,
  RunLink,
  type TaskStatus
} from "../../../contract/schema/task.ts"
import { isText } from "../../platform/sqlite/rowGuards.ts"
import type { SqlValue } from "../../platform/sqlite/Sqlite.ts"
import { elsewhere, flag, integer, json, oneOf, optional, real, table, text } from "../../platform/sqlite/table.ts"
import type { TaskContent } from "../tasks/taskRules.ts"
import type { BoardDb } from "./BoardStore.ts"

type Dialect = BoardDb["dialect"]

/** In SQLite, `CROSS JOIN` keeps the order of the tables. */
const JOIN = { sqlite: "CROSS JOIN", postgres: "JOIN" } as const

const feedback = (list: string) =>
  `CASE WHEN t.feedback_count = 0 THEN NULL ELSE (SELECT ${list} FROM task_feedback f WHERE f.task = t.seq) END`
const FEEDBACK = {
  sqlite: feedback("json_group_array(json_object('at', f.at, 'by', f.by, 'note', f.note) ORDER BY f.number)"),
  // U+0000 is stored as two marks (`postgresDb.ts`); inside JSON it has to be written as JSON writes it.
  postgres: feedback(`replace(
    json_agg(json_build_object('at', f.at, 'by', f.by, 'note', f.note) ORDER BY f.number)::text,
    U&'\\FDD0\\FDD2', '\\u0000')`)
}

/** A column's number in the store. */
export const statusNumber = (status: TaskStatus): number => TASK_STATUSES.indexOf(status)

/** The column of a number in the store. */
export const taskStatus = (value: number): TaskStatus => TASK_STATUSES[value] ?? "cancelled"

/** A column, stored by its number. */
export const STATUS = {
  read: (value: unknown): TaskStatus => taskStatus(integer.read(value)),
  write: statusNumber
}

const labels = json(Schema.Array(Schema.String))
const feedbackEntries = json(Schema.Array(FeedbackEntry))
const count = optional(integer)
const countIfAny = { ...count, read: (value: unknown) => count.read(value) || undefined }

/** A list of ids in JSON; it's read for every card of the board at once, where a schema would be most of the cost. */
const ids = {
  read: (value: unknown): ReadonlyArray<string> => {
    if (value === null) return []
    const list: unknown = JSON.parse(text.read(value))
    if (!Array.isArray(list) || !list.every(isText)) throw new TypeError("a list of ids has an unexpected form")
    return list
  },
  write: labels.write
}

/** What decides when a task can start, in `task_flow w`. */
export const FLOW_FIELDS = {
  after: elsewhere("w.after_ids", ids),
  startAt: elsewhere("w.start_at", optional(integer)),
  autoStart: elsewhere("w.auto_start", { ...flag, read: (value: unknown) => value !== null && flag.read(value) })
}

/** A task's own row, and what of it is in other tables. Most JSON columns are empty, so they're decoded only if needed. */
const TASK = table("t", {
  id: text,
  title: text,
  status: STATUS,
  priority: oneOf(TASK_PRIORITIES),
  createdBy: text,
  createdAt: integer,
  updatedAt: integer,
  version: integer,
  labels: { ...labels, read: (value: unknown) => (value === "[]" ? [] : labels.read(value)) },
  feedback: elsewhere(FEEDBACK, {
    ...feedbackEntries,
    read: (value: unknown) => (value === null ? [] : feedbackEntries.read(value))
  }),
  description: elsewhere("x.description", optional(text)),
  sourceSessionKey: optional(text),
  assignee: optional(text),
  gatewayId: elsewhere("(SELECT g.gateway FROM task_gateways g WHERE g.task = t.seq)", optional(text)),
  run: optional(json(RunLink)),
  result: elsewhere("x.result", optional(text)),
  resultAt: optional(integer),
  model: optional(text),
  thinking: optional(oneOf(THINKING_LEVELS)),
  dueAt: optional(integer),
  estimateMin: optional(real),
  actualMin: optional(real),
  history: elsewhere(
    "(SELECT h.entries FROM task_history h WHERE h.task = t.seq)",
    optional(json(Schema.Array(HistoryEntry)))
  ),
  checklist: elsewhere("e.checklist", optional(json(Schema.Array(ChecklistItem)))),
  commentCount: elsewhere("e.comment_count", countIfAny),
  ...FLOW_FIELDS,
  parentId: elsewhere("w.parent_id", optional(text)),
  retry: elsewhere("w.retry", optional(json(Retry))),
  attempts: elsewhere("w.attempts", countIfAny),
  seq: elsewhere("t.seq", integer),
  rank: integer,
  runCount: integer,
  feedbackCount: integer
})

const wholeTask = (dialect: Dialect) => `SELECT ${TASK.selected(dialect)}`

const TEXTS = `LEFT JOIN task_texts x ON x.task = t.seq LEFT JOIN task_extras e ON e.task = t.seq
  LEFT JOIN task_flow w ON w.task = t.seq`

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
  ${JOIN[dialect]} tasks t ON t.seq = p.seq ${TEXTS}
  ORDER BY t.status, t.rank`

/** What a page needs to know of a task before its content; `status` is the column's number. */
const HEAD = table("t", { id: text, status: integer, rank: integer, version: integer })

/** Selects a page of tasks as `selectPage` does, without their content. */
export const selectHeads = (dialect: Dialect, where: string): string => `
  SELECT ${HEAD.selected(dialect)} FROM tasks t ${where} ORDER BY t.status, t.rank LIMIT ? OFFSET ?`

/** Decodes such a row; throws on an invalid row. */
export const taskHead = HEAD.read

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

/** Decodes such a row; throws on an invalid row, which the store reports. */
export const storedTask = (row: unknown): StoredTask => {
  const { seq, rank, runCount, feedbackCount: _, ...content } = TASK.read(row)
  return { seq, rank, runCount, content }
}

/** The columns of `tasks` but `seq`, the id first. */
export const TASK_COLUMNS = TASK.names

/** Values for `TASK_COLUMNS`. */
export const taskValues = (task: TaskContent, rank: number, runCount: number): ReadonlyArray<SqlValue> =>
  TASK.values({ ...task, rank, runCount, feedbackCount: task.feedback.length })

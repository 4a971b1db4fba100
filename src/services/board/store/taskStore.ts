import { Effect } from "effect"
import type { Task } from "../../../contract/schema/task.ts"
import { numberIn } from "../../platform/sqlite/rowGuards.ts"
import { insertInto } from "../../platform/sqlite/table.ts"
import { attemptLeft, type TaskChange, type TaskContent } from "../tasks/taskRules.ts"
import { insertAttempt } from "./attemptStore.ts"
import type { BoardDb } from "./BoardStore.ts"
import { placeOf, rankAt, rankAtEnd } from "./taskPlaces.ts"
import {
  EVERY,
  type StoredTask,
  selectPage,
  selectTask,
  statusNumber,
  storedTask,
  TASK_COLUMNS,
  taskValues
} from "./taskRows.ts"

const INSERT_TASK = `${insertInto("tasks", TASK_COLUMNS)} RETURNING seq`
const UPDATE_TASK = `UPDATE tasks SET ${TASK_COLUMNS.slice(1)
  .map((column) => `${column} = ?`)
  .join(", ")} WHERE seq = ?`
const PUT_TEXTS = insertInto("task_texts", ["task", "description", "result"], "task")
const INSERT_LABEL = insertInto("task_labels", ["label", "task"])
const INSERT_FEEDBACK = insertInto("task_feedback", ["task", "number", "at", "by", "note"])
const PUT_HISTORY = insertInto("task_history", ["task", "entries"], "task")
const PUT_GATEWAY = insertInto("task_gateways", ["task", "gateway"], "task")
const INSERT_LINK = insertInto("task_links", ["after_id", "task"])
const PUT_FLOW = insertInto(
  "task_flow",
  ["task", "after_ids", "parent_id", "start_at", "auto_start", "retry", "attempts"],
  "task"
)
const PUT_EXTRAS = insertInto("task_extras", ["task", "checklist", "comment_count"], "task")

/** The task with its place in the column. */
export const taskAt = (content: TaskContent, columnOrder: number): Task => ({ ...content, columnOrder })

/** The task with its place looked up. */
export const placedTask = (db: BoardDb, { content, rank }: StoredTask) =>
  Effect.map(placeOf(db, statusNumber(content.status), rank), (place) => taskAt(content, place))

/** The task with this id. */
export const findTask = (db: BoardDb, id: string) =>
  Effect.map(db.rows(selectTask(db.dialect), id), ([row]) => (row === undefined ? undefined : storedTask(row)))

/** The tasks that wait for a review, and those to be done whose last run may have failed. */
export const findWaiting = (db: BoardDb) => {
  const where = `WHERE t.status = ? OR (t.status IN (?, ?) AND t.run LIKE '%"status":"error"%')`
  const statuses = [statusNumber("review"), statusNumber("backlog"), statusNumber("todo")]
  return Effect.map(db.rows(selectPage(db.dialect, where), ...statuses, EVERY, 0), (rows) => rows.map(storedTask))
}

const writeTexts = (db: BoardDb, seq: number, task: TaskContent) =>
  db.run(PUT_TEXTS, seq, task.description ?? null, task.result ?? null)

const writeLabels = Effect.fnUntraced(function* (db: BoardDb, seq: number, task: TaskContent) {
  yield* db.run("DELETE FROM task_labels WHERE task = ?", seq)
  for (const label of new Set(task.labels)) yield* db.run(INSERT_LABEL, label, seq)
})

const writeFeedback = Effect.fnUntraced(function* (db: BoardDb, seq: number, task: TaskContent, from: number) {
  for (const [number, { at, by, note }] of task.feedback.entries())
    if (number >= from) yield* db.run(INSERT_FEEDBACK, seq, number, at, by, note)
})

const writeHistory = (db: BoardDb, seq: number, { history }: TaskContent) =>
  history === undefined ? Effect.void : db.run(PUT_HISTORY, seq, JSON.stringify(history))

const writeGateway = (db: BoardDb, seq: number, { gatewayId }: TaskContent) =>
  gatewayId === undefined
    ? db.run("DELETE FROM task_gateways WHERE task = ?", seq)
    : db.run(PUT_GATEWAY, seq, gatewayId)

/** What only few tasks have. */
const writeExtras = (db: BoardDb, seq: number, { checklist, commentCount = 0 }: TaskContent) =>
  db.run(PUT_EXTRAS, seq, checklist === undefined ? null : JSON.stringify(checklist), commentCount)

const sameTexts = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean =>
  a.length === b.length && a.every((text, index) => text === b[index])

const NOTHING: Pick<TaskContent, "after" | "autoStart" | "parentId" | "startAt" | "retry" | "attempts"> = {
  after: [],
  autoStart: false
}

/** What decides when a task starts, and what it's a part of; only few tasks have it. */
const writeFlow = Effect.fnUntraced(function* (db: BoardDb, seq: number, task: TaskContent, before = NOTHING) {
  const { after, attempts = 0, autoStart, parentId = null, retry, startAt = null } = task
  const isSame =
    sameTexts(after, before.after) &&
    autoStart === before.autoStart &&
    task.parentId === before.parentId &&
    task.startAt === before.startAt &&
    retry?.max === before.retry?.max &&
    retry?.waitMin === before.retry?.waitMin &&
    task.attempts === before.attempts
  if (isSame) return
  const ids = after.length === 0 ? null : JSON.stringify(after)
  const again = retry === undefined ? null : JSON.stringify(retry)
  yield* db.run(PUT_FLOW, seq, ids, parentId, startAt, Number(autoStart), again, attempts)
  if (sameTexts(after, before.after)) return
  if (before.after.length > 0) yield* db.run("DELETE FROM task_links WHERE task = ?", seq)
  for (const id of after) yield* db.run(INSERT_LINK, id, seq)
})

/** Adds a task at the end of its column. */
export const insertTask = Effect.fnUntraced(function* (db: BoardDb, task: TaskContent, runCount: number = 0) {
  const status = statusNumber(task.status)
  const rank = yield* rankAtEnd(db, status)
  const seq = numberIn(yield* db.rows(INSERT_TASK, ...taskValues(task, rank, runCount)))
  if (task.description !== undefined || task.result !== undefined) yield* writeTexts(db, seq, task)
  if (task.labels.length > 0) yield* writeLabels(db, seq, task)
  if (task.feedback.length > 0) yield* writeFeedback(db, seq, task, 0)
  yield* writeHistory(db, seq, task)
  if (task.gatewayId !== undefined) yield* writeGateway(db, seq, task)
  if (task.checklist !== undefined || task.commentCount !== undefined) yield* writeExtras(db, seq, task)
  yield* writeFlow(db, seq, task)
  return taskAt(task, yield* placeOf(db, status, rank))
})

const rankFor = (db: BoardDb, stored: StoredTask, change: TaskChange) => {
  const status = statusNumber(change.task.status)
  switch (change.place) {
    case "keep":
      return Effect.succeed(stored.rank)
    case "end":
      return rankAtEnd(db, status)
    default:
      return rankAt(db, status, change.place, stored.seq)
  }
}

/** Saves what a rule decided; only what changed is written. */
export const saveTask = Effect.fnUntraced(function* (
  db: BoardDb,
  stored: StoredTask,
  change: TaskChange,
  runCount: number = stored.runCount
) {
  const before = stored.content
  const { task } = change
  const rank = yield* rankFor(db, stored, change)
  yield* db.run(UPDATE_TASK, ...taskValues(task, rank, runCount).slice(1), stored.seq)
  if (task.description !== before.description || task.result !== before.result) yield* writeTexts(db, stored.seq, task)
  if (!sameTexts(task.labels, before.labels)) yield* writeLabels(db, stored.seq, task)
  if (task.gatewayId !== before.gatewayId) yield* writeGateway(db, stored.seq, task)
  if (task.checklist !== before.checklist || task.commentCount !== before.commentCount)
    yield* writeExtras(db, stored.seq, task)
  yield* writeFlow(db, stored.seq, task, before)
  if (task.history !== before.history) yield* writeHistory(db, stored.seq, task)
  const attempt = attemptLeft(before, task)
  if (attempt !== undefined) yield* insertAttempt(db, stored.seq, attempt)
  if (task.feedback.length > before.feedback.length) yield* writeFeedback(db, stored.seq, task, before.feedback.length)
  return taskAt(task, yield* placeOf(db, statusNumber(task.status), rank))
})

/** Removes a task with everything that belongs to it. */
export const deleteTask = (db: BoardDb, stored: StoredTask) => db.run("DELETE FROM tasks WHERE seq = ?", stored.seq)

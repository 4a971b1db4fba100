import type { SqlConnection } from "../platform/sqlite/Sqlite.ts"
import type { Task } from "./task.ts"
import { placeOf, rankAt, rankAtEnd } from "./taskPlaces.ts"
import {
  SELECT_TASK,
  type StoredTask,
  selectPage,
  statusNumber,
  storedTask,
  TASK_COLUMNS,
  taskValues
} from "./taskRows.ts"
import type { TaskChange, TaskContent } from "./taskRules.ts"

const INSERT_TASK = `INSERT INTO tasks (id, ${TASK_COLUMNS.join(", ")}) VALUES (?, ${TASK_COLUMNS.map(() => "?").join(", ")})`
const UPDATE_TASK = `UPDATE tasks SET ${TASK_COLUMNS.map((column) => `${column} = ?`).join(", ")} WHERE seq = ?`

/** The task with its place in the column. */
export const taskAt = (content: TaskContent, columnOrder: number): Task => ({ ...content, columnOrder })

/** The task with its place looked up. */
export const placedTask = (db: SqlConnection, stored: StoredTask): Task =>
  taskAt(stored.content, placeOf(db, statusNumber(stored.content.status), stored.rank))

/** The task with this id. */
export const findTask = (db: SqlConnection, id: string): StoredTask | undefined => {
  const row = db.rows(SELECT_TASK, id)[0]
  return row === undefined ? undefined : storedTask(row)
}

/** The tasks that wait for a review, and those to be done whose last run may have failed. */
export const findWaiting = (db: SqlConnection): ReadonlyArray<StoredTask> => {
  const where = `WHERE t.status = ? OR (t.status IN (?, ?) AND t.run LIKE '%"status":"error"%')`
  const statuses = [statusNumber("review"), statusNumber("backlog"), statusNumber("todo")]
  return db.rows(selectPage(where), ...statuses, -1, 0).map(storedTask)
}

const writeTexts = (db: SqlConnection, seq: number, task: TaskContent): void => {
  db.run(
    `INSERT INTO task_texts (task, description, result) VALUES (?, ?, ?)
     ON CONFLICT (task) DO UPDATE SET description = excluded.description, result = excluded.result`,
    seq,
    task.description ?? null,
    task.result ?? null
  )
}

const writeLabels = (db: SqlConnection, seq: number, task: TaskContent): void => {
  db.run("DELETE FROM task_labels WHERE task = ?", seq)
  for (const label of new Set(task.labels)) db.run("INSERT INTO task_labels (label, task) VALUES (?, ?)", label, seq)
}

const writeFeedback = (db: SqlConnection, seq: number, task: TaskContent, from: number): void => {
  for (const [number, entry] of task.feedback.entries()) {
    if (number < from) continue
    db.run(
      "INSERT INTO task_feedback (task, number, at, by, note) VALUES (?, ?, ?, ?, ?)",
      seq,
      number,
      entry.at,
      entry.by,
      entry.note
    )
  }
}

/** Adds a task at the end of its column. */
export const insertTask = (db: SqlConnection, task: TaskContent, runCount = 0): Task => {
  const rank = rankAtEnd(db, statusNumber(task.status))
  const seq = db.run(INSERT_TASK, task.id, ...taskValues(task, rank, runCount))
  if (task.description !== undefined || task.result !== undefined) writeTexts(db, seq, task)
  if (task.labels.length > 0) writeLabels(db, seq, task)
  writeFeedback(db, seq, task, 0)
  return taskAt(task, placeOf(db, statusNumber(task.status), rank))
}

const rankFor = (db: SqlConnection, stored: StoredTask, change: TaskChange): number => {
  const status = statusNumber(change.task.status)
  switch (change.place) {
    case "keep":
      return stored.rank
    case "end":
      return rankAtEnd(db, status)
    default:
      return rankAt(db, status, change.place, stored.seq)
  }
}

const sameLabels = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean =>
  a.length === b.length && a.every((label, index) => label === b[index])

/** Saves what a rule decided; only what changed is written. */
export const saveTask = (
  db: SqlConnection,
  stored: StoredTask,
  change: TaskChange,
  runCount = stored.runCount
): Task => {
  const before = stored.content
  const { task } = change
  const rank = rankFor(db, stored, change)
  db.run(UPDATE_TASK, ...taskValues(task, rank, runCount), stored.seq)
  if (task.description !== before.description || task.result !== before.result) writeTexts(db, stored.seq, task)
  if (!sameLabels(task.labels, before.labels)) writeLabels(db, stored.seq, task)
  writeFeedback(db, stored.seq, task, before.feedback.length)
  return taskAt(task, placeOf(db, statusNumber(task.status), rank))
}

/** Removes a task with everything that belongs to it. */
export const deleteTask = (db: SqlConnection, stored: StoredTask): void => {
  db.run("DELETE FROM tasks WHERE seq = ?", stored.seq)
}

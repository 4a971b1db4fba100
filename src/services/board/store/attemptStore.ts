import { Effect, Schema } from "effect"
import { MAX_ATTEMPTS, type TaskAttempt } from "../../../contract/schema/attempt.ts"
import { RunLink } from "../../../contract/schema/task.ts"
import type { BoardDb } from "./BoardStore.ts"

const Row = Schema.Struct({
  task: Schema.Int,
  run: Schema.fromJsonString(RunLink),
  result: Schema.NullOr(Schema.String)
})
const decodeRows = Schema.decodeUnknownSync(Schema.Array(Row))

const attemptOf = ({ result, run }: typeof Row.Type): TaskAttempt => ({ run, ...(result === null ? {} : { result }) })

/** A task's earlier runs, oldest first. */
export const listAttempts = (db: BoardDb, task: number) =>
  Effect.map(
    db.all("SELECT task, run, result FROM task_attempts WHERE task = ? ORDER BY number", task),
    (rows): ReadonlyArray<TaskAttempt> => decodeRows(rows).map(attemptOf)
  )

/** Keeps a run that its task leaves behind. */
export const insertAttempt = Effect.fnUntraced(function* (db: BoardDb, task: number, { result, run }: TaskAttempt) {
  yield* db.run(
    `INSERT INTO task_attempts (task, number, run, result)
     VALUES (?, (SELECT coalesce(max(number), 0) + 1 FROM task_attempts WHERE task = ?), ?, ?)`,
    task,
    task,
    JSON.stringify(run),
    result ?? null
  )
  yield* db.run(
    "DELETE FROM task_attempts WHERE task = ? AND number <= (SELECT max(number) FROM task_attempts WHERE task = ?) - ?",
    task,
    task,
    MAX_ATTEMPTS
  )
})

/** Every earlier run of the board by its task's number, oldest first. */
export const listEveryAttempt = (db: BoardDb) =>
  Effect.map(
    db.all("SELECT task, run, result FROM task_attempts ORDER BY task, number"),
    (rows): ReadonlyMap<number, ReadonlyArray<TaskAttempt>> =>
      new Map([...Map.groupBy(decodeRows(rows), ({ task }) => task)].map(([task, all]) => [task, all.map(attemptOf)]))
  )

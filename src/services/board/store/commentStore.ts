import { Effect, Schema } from "effect"
import { TaskComment } from "../../../contract/schema/comment.ts"
import type { BoardDb } from "./BoardStore.ts"

const decodeComments = Schema.decodeUnknownSync(Schema.Array(TaskComment))
const decodeFound = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ number: Schema.Int })))

/** A task's comments, oldest first. */
export const listComments = (db: BoardDb, task: number) =>
  Effect.map(db.all("SELECT id, at, by, text FROM task_comments WHERE task = ? ORDER BY number", task), decodeComments)

export const insertComment = (db: BoardDb, task: number, { at, by, id, text }: TaskComment) =>
  db.run(
    `INSERT INTO task_comments (task, number, id, at, by, text)
     VALUES (?, (SELECT coalesce(max(number), 0) + 1 FROM task_comments WHERE task = ?), ?, ?, ?, ?)`,
    task,
    task,
    id,
    at,
    by,
    text
  )

/** Removes a comment; says whether it was there. */
export const deleteComment = Effect.fnUntraced(function* (db: BoardDb, task: number, id: string) {
  const found = decodeFound(yield* db.all("SELECT number FROM task_comments WHERE task = ? AND id = ?", task, id))
  yield* db.run("DELETE FROM task_comments WHERE task = ? AND id = ?", task, id)
  return found.length > 0
})

const decodeEvery = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ task: Schema.Int, ...TaskComment.fields })))

/** Every comment of the board by its task's number, oldest first. */
export const listEveryComment = (db: BoardDb) =>
  Effect.map(
    db.all("SELECT task, id, at, by, text FROM task_comments ORDER BY task, number"),
    (rows): ReadonlyMap<number, ReadonlyArray<TaskComment>> =>
      new Map(
        [...Map.groupBy(decodeEvery(rows), ({ task }) => task)].map(([task, comments]) => [
          task,
          comments.map(({ task: _, ...comment }) => comment)
        ])
      )
  )

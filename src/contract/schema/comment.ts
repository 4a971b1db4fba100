import { Schema } from "effect"
import { body, epochMillis, filledText, required } from "./fields.ts"

/** Most comments a task keeps. */
export const MAX_COMMENTS = 500

/** What somebody said about a task; `by` is `operator`, a person's name or `agent:<label>`. */
export const TaskComment = Schema.Struct({
  id: Schema.String,
  at: epochMillis,
  by: Schema.String,
  text: Schema.String
}).annotate({ identifier: "TaskComment" })
export type TaskComment = typeof TaskComment.Type

export const CommentText = filledText(5000)

/** Body of `POST /api/kanban/tasks/:id/comments`. */
export const AddComment = body({ text: required(CommentText) })
export type AddComment = typeof AddComment.Type

import { Schema } from "effect"
import { RunLink } from "./task.ts"

/** Most attempts a task keeps; the oldest go first. */
export const MAX_ATTEMPTS = 20

/** A run that the task has left behind, and what it handed in. */
export const TaskAttempt = Schema.Struct({
  run: RunLink,
  /** Absent if it didn't finish, or handed in nothing. */
  result: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "TaskAttempt" })
export type TaskAttempt = typeof TaskAttempt.Type

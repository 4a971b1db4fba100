import type { RoutineTask } from "../../../../src/contract/schema/routine.ts"
import type { TaskTemplate } from "../../../../src/contract/schema/template.ts"
import type { BoardConfig, Task, TaskField } from "./boardTypes.ts"
import { blankTask, edited, newEdit, type TaskEdit, valueOf } from "./taskEdit.ts"

/** What new cards begin with. */
export type TaskPattern = TaskTemplate["task"]

/** The fields of a pattern that the form shows; what else a pattern has stays as it is. */
const FIELDS = [
  "title",
  "description",
  "status",
  "priority",
  "assignee",
  "gatewayId",
  "labels",
  "model",
  "thinking",
  "estimateMin",
  "after",
  "parentId",
  "autoStart",
  "retry"
] as const satisfies ReadonlyArray<TaskField>

const isNothing = (value: unknown): boolean =>
  value === null || value === "" || value === false || (Array.isArray(value) && value.length === 0)

/** The edit of a pattern, or of a new one. */
export const patternEdit = (pattern: TaskPattern | null, config: BoardConfig | null): TaskEdit => {
  const { checklist: _checklist, dueAt: _dueAt, startAt: _startAt, ...fields } = pattern ?? {}
  return newEdit({ ...blankTask(config), ...fields })
}

/** What an edit leaves of a pattern: only what is set. */
export const patternOf = (edit: TaskEdit, before: TaskPattern | null): TaskPattern => {
  const { checklist, dueAt, startAt } = before ?? {}
  const shown = Object.fromEntries(FIELDS.map((field) => [field, valueOf(edit, field)]))
  return {
    ...Object.fromEntries(Object.entries(shown).filter(([, value]) => !isNothing(value))),
    ...(checklist === undefined ? {} : { checklist }),
    ...(dueAt === undefined ? {} : { dueAt }),
    ...(startAt === undefined ? {} : { startAt })
  }
}

/** An edit with what a pattern sets on top. */
export const withPattern = (edit: TaskEdit, pattern: TaskPattern): TaskEdit => {
  const set = patternEdit(pattern, null).base
  return FIELDS.reduce((next, field) => (pattern[field] === undefined ? next : edited(next, field, set[field])), edit)
}

/** A pattern with a title, as recurring cards need it; null without. */
export const titled = (pattern: TaskPattern): RoutineTask | null => {
  const { title = "", ...rest } = pattern
  return title.trim() === "" ? null : { ...rest, title: title.trim() }
}

/** A card as a pattern: without what belongs to that card alone, such as its dates and links. */
export const patternOfCard = (task: Task): TaskPattern => {
  const { after: _after, parentId: _parentId, status: _status, ...fields } = patternOf(newEdit(task), null)
  return task.checklist === null
    ? fields
    : { ...fields, checklist: task.checklist.map(({ text }) => ({ text, done: false })) }
}

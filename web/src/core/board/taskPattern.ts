import { MAX_PATTERN_NAME } from "../../../../src/contract/board.ts"
import type { RoutineTask } from "../../../../src/contract/schema/routine.ts"
import type { TaskTemplate } from "../../../../src/contract/schema/template.ts"
import type { BoardConfig, Task, TaskField } from "./boardTypes.ts"
import { blankTask, edited, newEdit, type TaskEdit, valueOf } from "./taskEdit.ts"

/** What new cards begin with. */
export type TaskPattern = TaskTemplate["task"]

/** The fields of a pattern that the form shows; its checklist stays as it is. */
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
  "dueAt",
  "after",
  "parentId",
  "startAt",
  "autoStart",
  "retry"
] as const satisfies ReadonlyArray<TaskField>

const isNothing = (value: unknown): boolean =>
  value === null || value === "" || value === false || (Array.isArray(value) && value.length === 0)

/** The edit of a pattern, or of a new one. */
export const patternEdit = (pattern: TaskPattern | null, config: BoardConfig | null): TaskEdit => {
  const { checklist: _checklist, ...fields } = pattern ?? {}
  return newEdit({ ...blankTask(config), ...fields })
}

/** What an edit leaves of a pattern: only what is set. */
export const patternOf = (edit: TaskEdit, before: TaskPattern | null): TaskPattern => {
  const { checklist } = before ?? {}
  const shown = Object.fromEntries(FIELDS.map((field) => [field, valueOf(edit, field)]))
  return {
    ...Object.fromEntries(Object.entries(shown).filter(([, value]) => !isNothing(value))),
    ...(checklist === undefined ? {} : { checklist })
  }
}

/** An edit with what a pattern sets on top. */
export const withPattern = (edit: TaskEdit, pattern: TaskPattern): TaskEdit => {
  const set = patternEdit(pattern, null).base
  const filled = FIELDS.reduce(
    (next, field) => (pattern[field] === undefined ? next : edited(next, field, set[field])),
    edit
  )
  const items = (pattern.checklist ?? []).map(({ done = false, id, text }, at) => ({
    id: id ?? `item-${at}`,
    text,
    done
  }))
  return items.length === 0 ? filled : edited(filled, "checklist", items)
}

/** A title as the name of a pattern; titles may be longer. */
export const patternName = (title: string): string => [...title.trim()].slice(0, MAX_PATTERN_NAME).join("").trim()

/** A pattern with a title, as recurring cards need it; null without. */
export const titled = (pattern: TaskPattern): RoutineTask | null => {
  const { title = "", ...rest } = pattern
  return title.trim() === "" ? null : { ...rest, title: title.trim() }
}

/** A card as a pattern: without what belongs to that card alone, such as its dates and links. */
export const patternOfCard = (task: Task): TaskPattern => {
  const {
    after: _after,
    dueAt: _dueAt,
    parentId: _parentId,
    startAt: _startAt,
    status: _status,
    ...fields
  } = patternOf(newEdit(task), null)
  return task.checklist === null
    ? fields
    : { ...fields, checklist: task.checklist.map(({ text }) => ({ text, done: false })) }
}

import { Schema } from "effect"
import { MAX_TASKS_PER_PAGE, TASK_PRIORITIES, TASK_STATUSES } from "../../contract/board.ts"
import { text } from "../../contract/schema/fields.ts"
import type { TaskQuery } from "../../contract/schema/taskInputs.ts"
import { digits, listed } from "../queryFields.ts"

const DEFAULT_PAGE = 50
const MAX_FILTER = 500
const MAX_ID = 100

/** Query of `GET /api/kanban/tasks`; `ids` are separated by commas. */
export const TaskListQuery = Schema.Struct({
  ids: Schema.optionalKey(text(MAX_TASKS_PER_PAGE * MAX_ID)),
  status: Schema.optionalKey(listed(TASK_STATUSES)),
  priority: Schema.optionalKey(listed(TASK_PRIORITIES)),
  assignee: Schema.optionalKey(text(MAX_FILTER)),
  label: Schema.optionalKey(text(MAX_FILTER)),
  q: Schema.optionalKey(text(MAX_FILTER)),
  limit: Schema.optionalKey(digits(1, MAX_TASKS_PER_PAGE)),
  offset: Schema.optionalKey(digits(0))
})

/** The requested page; an empty filter means no filter. */
export const taskQuery = (query: typeof TaskListQuery.Type): TaskQuery => ({
  ...(query.ids ? { ids: query.ids.split(",").slice(0, MAX_TASKS_PER_PAGE) } : {}),
  statuses: query.status ?? [],
  priorities: query.priority ?? [],
  ...(query.assignee ? { assignee: query.assignee } : {}),
  ...(query.label ? { label: query.label } : {}),
  ...(query.q ? { q: query.q } : {}),
  limit: query.limit ?? DEFAULT_PAGE,
  offset: query.offset ?? 0
})

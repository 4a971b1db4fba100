import { Schema } from "effect"
import { TASK_SORTS, VIEW_LAYOUTS } from "../board.ts"
import { body, filledText, flag, list, maybe, oneOf, required, text } from "./fields.ts"
import { TaskPriority } from "./task.ts"

/** Most views a board keeps. */
export const MAX_VIEWS = 50

const ViewFilter = body({
  q: maybe(text(500)),
  priorities: maybe(list(TaskPriority, 0, 10)),
  labels: maybe(list(text(100), 0, 50)),
  /** `none` means unassigned. */
  assignee: maybe(text(200)),
  overdue: maybe(flag),
  /** Only cards that could start now, or only those that wait for something. */
  ready: maybe(flag),
  blocked: maybe(flag)
})

const fields = {
  name: required(filledText(100)),
  layout: required(oneOf(VIEW_LAYOUTS)),
  filter: maybe(ViewFilter),
  sort: maybe(body({ by: required(oneOf(TASK_SORTS)), descending: maybe(flag) }))
}

/** Body of `PUT /api/kanban/views/:id`. */
export const SaveView = body(fields)
export type SaveView = typeof SaveView.Type

/** A named way to look at the board; the same for everyone who uses it. */
export const SavedView = Schema.Struct({ id: Schema.String, ...fields }).annotate({ identifier: "SavedView" })
export type SavedView = typeof SavedView.Type

/** A view's id, which whoever saves it chooses. */
export const ViewId = filledText(100)

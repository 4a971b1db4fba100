/** The six columns, in board order. */
export const TASK_STATUSES = ["backlog", "todo", "in-progress", "review", "done", "cancelled"] as const
export const TASK_PRIORITIES = ["critical", "high", "normal", "low"] as const
export const THINKING_LEVELS = ["off", "low", "medium", "high"] as const

/** As a parent, in what an agent asks for: the card whose run asks. */
export const OWN_CARD = "self"

/** Most cards in one answer. */
export const MAX_TASKS_PER_PAGE = 200

/** Most cards that one card waits for. */
export const MAX_AFTER = 20

/** How often a failed automatic run is tried again at most, and after at most how many minutes. */
export const MAX_RETRIES = 5
export const MAX_RETRY_WAIT_MIN = 1440

/** Most characters in the name of a recurring card or a template. */
export const MAX_PATTERN_NAME = 200

export type TaskStatus = (typeof TASK_STATUSES)[number]
export type TaskPriority = (typeof TASK_PRIORITIES)[number]
export type ThinkingLevel = (typeof THINKING_LEVELS)[number]

/** The titles of a new board's columns. The page shows them in its own language as long as nobody has changed them. */
export const DEFAULT_TITLES: Readonly<Record<TaskStatus, string>> = {
  backlog: "Backlog",
  todo: "To Do",
  "in-progress": "In Progress",
  review: "Review",
  done: "Done",
  cancelled: "Cancelled"
}

/** How a view shows the board. */
export const VIEW_LAYOUTS = ["board", "list"] as const
export type ViewLayout = (typeof VIEW_LAYOUTS)[number]

/** What cards in a list can be sorted by, within their column. */
export const TASK_SORTS = ["title", "status", "priority", "assignee", "labels", "due", "updated", "cost"] as const
export type TaskSort = (typeof TASK_SORTS)[number]

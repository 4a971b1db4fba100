import type { BoardConfig, TaskField, TaskPriority, TaskStatus } from "./boardTypes.ts"

const STATUS_TEXT: Readonly<Record<TaskStatus, string>> = {
  backlog: "Backlog",
  todo: "To Do",
  "in-progress": "In Progress",
  review: "Review",
  done: "Done",
  cancelled: "Cancelled"
}

const PRIORITY_TEXT: Readonly<Record<TaskPriority, string>> = {
  critical: "Critical",
  high: "High",
  normal: "Normal",
  low: "Low"
}

const FIELD_TEXT: Readonly<Record<TaskField, string>> = {
  title: "Title",
  description: "Description",
  status: "Column",
  priority: "Priority",
  assignee: "Assignee",
  labels: "Labels",
  model: "Model",
  thinking: "Thinking",
  dueAt: "Due date",
  estimateMin: "Estimate",
  actualMin: "Time taken",
  result: "Result"
}

/** The name of a column as this board calls it. */
export const columnTitle = (config: BoardConfig | null, status: TaskStatus): string =>
  config?.columns.find(({ key }) => key === status)?.title ?? STATUS_TEXT[status]

export const priorityText = (priority: TaskPriority): string => PRIORITY_TEXT[priority]

export const fieldText = (field: TaskField): string => FIELD_TEXT[field]

/** Somebody's name for people: `operator` is whoever sits here. */
export const actorText = (actor: string): string =>
  actor === "operator" ? "You" : actor.startsWith("agent:") ? actor.slice("agent:".length) : actor

/** Minutes as people say them, such as "45 min" or "2 h 30 min". */
export const minutesText = (minutes: number): string => {
  const whole = Math.round(minutes)
  if (whole < 60) return `${whole} min`
  return whole % 60 === 0 ? `${Math.floor(whole / 60)} h` : `${Math.floor(whole / 60)} h ${whole % 60} min`
}

/** The value of a date field for a time, in the local zone; empty for none. */
export const dateValue = (at: number | null): string => {
  if (at === null) return ""
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return ""
  const two = (value: number) => String(value).padStart(2, "0")
  return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The end of the day a date field names, in the local zone; null when it names none. */
export const endOfDay = (value: string): number | null => {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? []
  if (year === undefined || month === undefined || day === undefined) return null
  const at = new Date(Number(year), Number(month) - 1, Number(day), 23, 59, 59).getTime()
  return Number.isFinite(at) && at >= 0 ? at : null
}

const DAY_MS = 86_400_000

/** A due date in few words: "today", "tomorrow", "3 Dec". */
export const dueText = (at: number, now: number, locale?: string): string => {
  const day = (time: number) => new Date(time).setHours(0, 0, 0, 0)
  const days = Math.round((day(at) - day(now)) / DAY_MS)
  if (Math.abs(days) <= 1) return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(days, "day")
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  return new Intl.DateTimeFormat(locale, {
    day: "numeric",
    month: "short",
    ...(sameYear ? {} : { year: "numeric" })
  }).format(at)
}

/** A value of a field in words, for conflicts and proposals. */
export const valueText = (field: TaskField, value: unknown, config: BoardConfig | null, now: number): string => {
  if (value === null || value === undefined || value === "") return "nothing"
  if (Array.isArray(value)) return value.length === 0 ? "nothing" : value.map(String).join(", ")
  if (field === "dueAt" && typeof value === "number") return dueText(value, now)
  if ((field === "estimateMin" || field === "actualMin") && typeof value === "number") return minutesText(value)
  if (field === "assignee" && typeof value === "string") return actorText(value)
  const text = typeof value === "object" ? JSON.stringify(value) : String(value)
  const column = config?.columns.find(({ key }) => key === text)
  return field === "status" && column !== undefined ? column.title : text
}

import type { ChecklistItem, TaskPriority, TaskStatus } from "../../../../src/contract/answers/BoardAnswers.ts"
import { dayText } from "../common/dateText.ts"
import { recordsOf } from "../common/decode.ts"
import type { BoardConfig, Task, TaskField } from "./boardTypes.ts"

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
  gatewayId: "Gateway",
  labels: "Labels",
  model: "Model",
  thinking: "Thinking",
  dueAt: "Due date",
  estimateMin: "Estimate",
  actualMin: "Time spent",
  result: "Result",
  checklist: "Checklist"
}

/** A column's name on this board. */
export const columnTitle = (config: BoardConfig | null, status: TaskStatus): string =>
  config?.columns.find(({ key }) => key === status)?.title ?? STATUS_TEXT[status]

export const priorityText = (priority: TaskPriority): string => PRIORITY_TEXT[priority]

export const fieldText = (field: TaskField): string => FIELD_TEXT[field]

/** An actor's name for people: `operator` is whoever sits here. */
export const actorText = (actor: string): string =>
  actor === "operator" ? "You" : actor.startsWith("agent:") ? actor.slice("agent:".length) : actor

/** On which console an agent works, where several share the board. */
export const runPlace = (run: Task["run"]): string => (run === null || run.console === null ? "" : ` on ${run.console}`)

/** A card's title in a sentence, shortened if it is long. */
export const quotedTitle = (title: string): string => `“${title.length > 60 ? `${title.slice(0, 60)}…` : title}”`

/** Minutes in readable form, such as "45 min" or "2 h 30 min". */
export const minutesText = (minutes: number): string => {
  const whole = Math.round(minutes)
  if (whole < 60) return `${whole} min`
  return whole % 60 === 0 ? `${Math.floor(whole / 60)} h` : `${Math.floor(whole / 60)} h ${whole % 60} min`
}

/** A time as the value of a date field, in the local zone; empty for none. */
export const dateValue = (at: number | null): string => {
  if (at === null) return ""
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return ""
  const two = (value: number) => String(value).padStart(2, "0")
  return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The end of the day in a date field, in the local zone; null if it is empty or invalid. */
export const endOfDay = (value: string): number | null => {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? []
  if (year === undefined || month === undefined || day === undefined) return null
  const at = new Date(Number(year), Number(month) - 1, Number(day), 23, 59, 59).getTime()
  return Number.isFinite(at) && at >= 0 ? at : null
}

/** A field's value in words, for conflicts and proposals. */
export const valueText = (field: TaskField, value: unknown, config: BoardConfig | null, now: number): string => {
  if (value === null || value === undefined || value === "") return "nothing"
  if (field === "checklist")
    return recordsOf<ChecklistItem>(value)
      .map(({ text }) => `• ${String(text)}`)
      .join("\n")
  if (Array.isArray(value)) return value.length === 0 ? "nothing" : value.map(String).join(", ")
  if (field === "dueAt" && typeof value === "number") return dayText(value, now)
  if ((field === "estimateMin" || field === "actualMin") && typeof value === "number") return minutesText(value)
  if (field === "assignee" && typeof value === "string") return actorText(value)
  const text = typeof value === "object" ? JSON.stringify(value) : String(value)
  const column = config?.columns.find(({ key }) => key === text)
  return field === "status" && column !== undefined ? column.title : text
}

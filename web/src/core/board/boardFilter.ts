import { TASK_PRIORITIES, type TaskPriority } from "../../../../src/contract/board.ts"
import { wordOf } from "../../../../src/contract/looseFields.ts"
import { isWaiting, type Task } from "./boardTypes.ts"
import { isPastDue } from "./dueDay.ts"
import type { VisibleColumns } from "./visibleBoard.ts"

/** Which cards the address asks to show. */
export interface BoardFilter {
  readonly q: string
  readonly priorities: ReadonlyArray<TaskPriority>
  /** A card with any of them is shown. */
  readonly labels: ReadonlyArray<string>
  /** `none` means unassigned. */
  readonly assignee: string
  readonly overdue: boolean
  /** Only cards that could start now, or only those that wait for something. */
  readonly start: StartFilter
}

export const START_FILTERS = ["ready", "blocked"] as const
export type StartFilter = (typeof START_FILTERS)[number] | null

export const NO_FILTER: BoardFilter = {
  q: "",
  priorities: [],
  labels: [],
  assignee: "",
  overdue: false,
  start: null
}

/** Reads the filter from a query string; unknown values are ignored. */
export const filterFrom = (search: string): BoardFilter => {
  const params = new URLSearchParams(search)
  return {
    q: params.get("q") ?? "",
    priorities: TASK_PRIORITIES.filter((word) => (params.get("priority") ?? "").split(",").includes(word)),
    labels: [...new Set(params.getAll("label"))].filter((label) => label !== ""),
    assignee: params.get("assignee") ?? "",
    overdue: params.get("due") === "overdue",
    start: wordOf(START_FILTERS, params.get("start"))
  }
}

/** The query string with another filter; its other parameters stay. */
export const withFilter = (search: string, filter: BoardFilter): string => {
  const params = new URLSearchParams(search)
  const set = (name: string, value: string) => (value === "" ? params.delete(name) : params.set(name, value))
  set("q", filter.q)
  set("priority", filter.priorities.join(","))
  set("assignee", filter.assignee)
  set("due", filter.overdue ? "overdue" : "")
  set("start", filter.start ?? "")
  params.delete("label")
  for (const label of filter.labels) params.append("label", label)
  const text = params.toString()
  return text === "" ? "" : `?${text}`
}

/** The query string with one parameter set, or removed if the value is empty. */
export const withParam = (search: string, name: string, value: string): string => {
  const params = new URLSearchParams(search)
  if (value === "") params.delete(name)
  else params.set(name, value)
  const text = params.toString()
  return text === "" ? "" : `?${text}`
}

export const isFiltering = (filter: BoardFilter): boolean =>
  filter.q.trim() !== "" ||
  filter.priorities.length > 0 ||
  filter.labels.length > 0 ||
  filter.assignee !== "" ||
  filter.overdue ||
  filter.start !== null

/** Whether a card is unfinished and its due day is over where the reader is. */
export const isOverdue = (task: Pick<Task, "dueAt" | "status">, now: number): boolean =>
  task.dueAt !== null && isPastDue(task.dueAt, now) && task.status !== "done" && task.status !== "cancelled"

/** Whether a card is shown: every search word is in the title, description or a label, ignoring case. */
export const matchesFilter = (task: Task, filter: BoardFilter, now: number): boolean => {
  if (filter.priorities.length > 0 && !filter.priorities.includes(task.priority)) return false
  if (filter.labels.length > 0 && !filter.labels.some((label) => task.labels.includes(label))) return false
  if (filter.assignee === "none" ? task.assignee !== null : filter.assignee !== "" && task.assignee !== filter.assignee)
    return false
  if (filter.overdue && !isOverdue(task, now)) return false
  if (filter.start !== null && !(isWaiting(task) && (filter.start === "blocked") === task.waitsFor.length > 0))
    return false
  const words = filter.q.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return true
  const text = [task.title, task.description ?? "", ...task.labels].join("\n").toLowerCase()
  return words.every((word) => text.includes(word))
}

/** A column's shown cards; the same list if none are left out. */
export const filteredColumn = (tasks: ReadonlyArray<Task>, filter: BoardFilter, now: number): ReadonlyArray<Task> =>
  isFiltering(filter) ? tasks.filter((task) => matchesFilter(task, filter, now)) : tasks

/** Every label on the board, most used first. */
export const labelsOf = (columns: VisibleColumns): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const task of Object.values(columns).flat())
    for (const label of task.labels) counts.set(label, (counts.get(label) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([label]) => label)
}

/** Everyone who owns a card, by name. */
export const assigneesOf = (columns: VisibleColumns): ReadonlyArray<string> =>
  [...new Set(Object.values(columns).flatMap((tasks) => tasks.flatMap((task) => task.assignee ?? [])))].sort()

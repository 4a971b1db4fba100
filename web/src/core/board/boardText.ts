import { TASK_PRIORITIES, type TaskPriority } from "../../../../src/contract/board.ts"
import { type Fields, fieldsOf, recordsOf, wordOf } from "../../../../src/contract/looseFields.ts"
import type { ChecklistItem, Retry } from "../../../../src/contract/schema/task.ts"
import { dayText, whenText } from "../common/dateText.ts"
import { say, sayCount } from "../language/say.ts"
import { thinkingText } from "../sessions/sessionChoices.ts"
import type { BoardConfig, Task, TaskField } from "./boardTypes.ts"
import { shownTitle } from "./columns.ts"
import { dueDay } from "./dueDay.ts"

const PRIORITY_TEXT: Readonly<Record<TaskPriority, string>> = {
  critical: say("Critical"),
  high: say("High"),
  normal: say("Normal"),
  low: say("Low")
}

/** Every field that a person may change, in the order in which a card shows them. */
const FIELD_TEXT: Readonly<Record<TaskField, string>> = {
  title: say("Title"),
  status: say("Column"),
  priority: say("Priority"),
  assignee: say("Assignee"),
  gatewayId: say("Gateway"),
  labels: say("Labels"),
  description: say("Description"),
  model: say("Model"),
  thinking: say("Thinking"),
  dueAt: say("Due date"),
  estimateMin: say("Estimate"),
  actualMin: say("Time spent"),
  result: say("Result"),
  checklist: say("Checklist"),
  after: say("Starts after"),
  parentId: say("Part of"),
  startAt: say("Starts at"),
  autoStart: say("Starts by itself"),
  retry: say("Retries")
}

export const isTaskField = (key: string): key is TaskField => Object.hasOwn(FIELD_TEXT, key)

/** The fields that have no line of their own in a proposal. */
const UNLISTED: ReadonlySet<TaskField> = new Set(["gatewayId", "actualMin", "checklist"])

/** The fields that a proposal shows one by one. */
export const PROPOSED_FIELDS: ReadonlyArray<TaskField> = Object.keys(FIELD_TEXT)
  .filter(isTaskField)
  .filter((field) => !UNLISTED.has(field))

export const priorityText = (priority: TaskPriority): string => PRIORITY_TEXT[priority]

export const fieldText = (field: TaskField): string => FIELD_TEXT[field]

/** The id of the agent that an assignee is; null for people and for nobody. */
export const agentIdOf = (assignee: string | null): string | null =>
  assignee?.startsWith("agent:") === true ? assignee.slice("agent:".length) : null

/** An actor's name for people: `operator` is whoever sits here. */
export const actorText = (actor: string): string => (actor === "operator" ? say("You") : (agentIdOf(actor) ?? actor))

/** What starts an agent on a card: by its name, if one was chosen. */
export const startText = (assignee: string | null): string =>
  agentIdOf(assignee) === null
    ? say("Run with an agent")
    : say("Run with {agent}", { agent: agentIdOf(assignee) ?? "" })

/** On which console an agent works, where several share the board. */
export const runPlace = (run: Task["run"]): string =>
  run === null || run.console === null ? "" : ` ${say("on {console}", { console: run.console })}`

/** Minutes in readable form, such as "45 min" or "2 h 30 min". */
export const minutesText = (minutes: number): string => {
  const whole = Math.round(minutes)
  if (whole < 60) return say("{count} min", { count: whole })
  const hours = Math.floor(whole / 60)
  return whole % 60 === 0
    ? say("{count} h", { count: hours })
    : say("{hours} h {minutes} min", { hours, minutes: whole % 60 })
}

/** A due date as the value of a date field; empty for none. */
export const dateValue = (at: number | null): string => (at === null ? "" : dueDay(at))

/** A due date in words: "tomorrow", "3 Dec". */
export const dueText = (at: number, now: number): string => {
  const [year, month, day] = dueDay(at).split("-").map(Number)
  return year === undefined || month === undefined || day === undefined
    ? ""
    : dayText(new Date(year, month - 1, day, 12).getTime(), now)
}

const retryText = ({ max, waitMin }: Fields<Retry>): string =>
  sayCount(Number(max), "{count} more try after {wait}", "{count} more tries, each after {wait}", {
    wait: minutesText(Number(waitMin))
  })

/** A field's value in words, for conflicts and proposals. */
export const valueText = (
  field: TaskField,
  value: unknown,
  config: BoardConfig | null,
  now: number,
  titleOf: (id: string) => string = (id) => id
): string => {
  if (field === "autoStart") return value === true ? say("On") : say("Off")
  if (value === null || value === undefined || value === "") return say("nothing")
  if (field === "checklist")
    return recordsOf<ChecklistItem>(value)
      .map(({ text }) => `• ${String(text)}`)
      .join("\n")
  if (field === "after" && Array.isArray(value) && value.length > 0)
    return value.map((id) => titleOf(String(id))).join(", ")
  if (field === "parentId" && typeof value === "string") return titleOf(value)
  if (field === "startAt" && typeof value === "number") return whenText(value, now)
  if (field === "retry") return retryText(fieldsOf<Retry>(value))
  if (Array.isArray(value)) return value.length === 0 ? say("nothing") : value.map(String).join(", ")
  if (field === "dueAt" && typeof value === "number") return dueText(value, now)
  if ((field === "estimateMin" || field === "actualMin") && typeof value === "number") return minutesText(value)
  if (field === "assignee" && typeof value === "string") return actorText(value)
  if (field === "thinking" && typeof value === "string") return thinkingText(value)
  const priority = field === "priority" ? wordOf(TASK_PRIORITIES, value) : null
  if (priority !== null) return priorityText(priority)
  const text = typeof value === "object" ? JSON.stringify(value) : String(value)
  const column = config?.columns.find(({ key }) => key === text)
  return field === "status" && column !== undefined ? shownTitle(column) : text
}

import type * as Answer from "../../../../src/contract/answers/BoardAnswers.ts"
import { TASK_PRIORITIES, TASK_STATUSES, THINKING_LEVELS } from "../../../../src/contract/answers/BoardAnswers.ts"
import type { EventData } from "../../../../src/contract/ConsoleEvent.ts"
import { qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import { type Fields, fieldsOf, filledText, listOf, numberOf, recordOf, recordsOf, textOf } from "../common/decode.ts"
import { say } from "../language/say.ts"
import type { BoardColumn, BoardConfig, KanbanChange, Proposal, RunLink, Task } from "./boardTypes.ts"

/** A value from a fixed set of words, null for anything else. */
export const wordOf = <const Words extends ReadonlyArray<string>>(words: Words, value: unknown): Words[number] | null =>
  words.find((word) => word === value) ?? null

const runOf = (value: unknown): RunLink | null => {
  const fields = recordOf<Answer.RunLink>(value)
  const status = wordOf(["running", "done", "error", "aborted"], fields?.status)
  if (fields === null || status === null) return null
  const gatewayId = filledText(fields.gatewayId)
  const sessionKey = textOf(fields.sessionKey) ?? ""
  return {
    sessionKey: gatewayId === null ? sessionKey : qualifiedKey(gatewayId, sessionKey),
    startedAt: numberOf(fields.startedAt) ?? 0,
    endedAt: numberOf(fields.endedAt),
    status,
    error: filledText(fields.error),
    note: filledText(fields.note),
    console: filledText(fields.console),
    gateway: filledText(fields.gateway),
    gatewayId
  }
}

const WAYS = ["moved", "started", "stopped", "approved", "sent-back"] as const

const historyOf = (value: unknown): Task["history"] =>
  recordsOf<Answer.HistoryEntry>(value).map((entry) => ({
    at: numberOf(entry.at) ?? 0,
    by: textOf(entry.by) ?? "operator",
    what: wordOf(WAYS, entry.what) ?? "moved",
    from: wordOf(TASK_STATUSES, entry.from) ?? "backlog",
    to: wordOf(TASK_STATUSES, entry.to) ?? "backlog"
  }))

/** The items that have an id and a text; null for none. */
const checklistOf = (value: unknown): Task["checklist"] => {
  const items = recordsOf<Answer.ChecklistItem>(value).flatMap(({ id, text, done }) => {
    const [key, words] = [filledText(id), filledText(text)]
    return key === null || words === null ? [] : [{ id: key, text: words, done: done === true }]
  })
  return items.length === 0 ? null : items
}

/** A list's texts; none if it isn't a list. */
export const textsOf = (value: unknown): ReadonlyArray<string> =>
  listOf(value).flatMap((entry) => (typeof entry === "string" && entry.trim() !== "" ? [entry] : []))

/** A card, as far as it can be read; null only without an id. */
export const taskOf = (value: unknown): Task | null => {
  const fields = recordOf<Answer.Task>(value)
  const id = filledText(fields?.id)
  if (fields === null || id === null) return null
  return {
    id,
    title: filledText(fields.title) ?? say("(no title)"),
    description: filledText(fields.description),
    status: wordOf(TASK_STATUSES, fields.status) ?? "backlog",
    priority: wordOf(TASK_PRIORITIES, fields.priority) ?? "normal",
    createdBy: textOf(fields.createdBy) ?? "operator",
    createdAt: numberOf(fields.createdAt) ?? 0,
    updatedAt: numberOf(fields.updatedAt) ?? 0,
    version: numberOf(fields.version) ?? 1,
    sourceSessionKey: filledText(fields.sourceSessionKey),
    assignee: filledText(fields.assignee),
    gatewayId: filledText(fields.gatewayId),
    labels: [...new Set(textsOf(fields.labels))],
    columnOrder: numberOf(fields.columnOrder) ?? Number.MAX_SAFE_INTEGER,
    run: runOf(fields.run),
    result: filledText(fields.result),
    resultAt: numberOf(fields.resultAt),
    model: filledText(fields.model),
    thinking: wordOf(THINKING_LEVELS, fields.thinking),
    dueAt: numberOf(fields.dueAt),
    estimateMin: numberOf(fields.estimateMin),
    actualMin: numberOf(fields.actualMin),
    feedback: recordsOf<Answer.FeedbackEntry>(fields.feedback).map((entry) => ({
      at: numberOf(entry.at) ?? 0,
      by: textOf(entry.by) ?? "operator",
      note: textOf(entry.note) ?? ""
    })),
    history: Array.isArray(fields.history) ? historyOf(fields.history) : null,
    checklist: checklistOf(fields.checklist),
    commentCount: numberOf(fields.commentCount)
  }
}

/** A proposal; null without an id or a known type. */
export const proposalOf = (value: unknown): Proposal | null => {
  const fields = recordOf<Answer.Proposal>(value)
  const id = filledText(fields?.id)
  const type = wordOf(["create", "update"], fields?.type)
  if (fields === null || id === null || type === null) return null
  return {
    id,
    type,
    payload: fieldsOf(fields.payload),
    sourceSessionKey: filledText(fields.sourceSessionKey),
    proposedBy: filledText(fields.proposedBy) ?? "operator",
    proposedAt: numberOf(fields.proposedAt) ?? 0,
    status: wordOf(["pending", "approved", "rejected"], fields.status) ?? "pending",
    version: numberOf(fields.version) ?? 1,
    resolvedAt: numberOf(fields.resolvedAt),
    reason: filledText(fields.reason)
  }
}

const columnOf = (fields: Fields<Answer.BoardColumn>): BoardColumn | null => {
  const key = wordOf(TASK_STATUSES, fields.key)
  if (key === null) return null
  return {
    key,
    title: filledText(fields.title) ?? key,
    wipLimit: Math.max(0, numberOf(fields.wipLimit) ?? 0),
    visible: fields.visible !== false
  }
}

/** The board's configuration; null without columns. */
export const configOf = (value: unknown): BoardConfig | null => {
  const fields = recordOf<Answer.BoardConfig>(value)
  if (fields === null) return null
  const columns = recordsOf<Answer.BoardColumn>(fields.columns).flatMap((column) => columnOf(column) ?? [])
  const first = columns.filter((column, index) => columns.findIndex(({ key }) => key === column.key) === index)
  if (first.length === 0) return null
  const defaults = fieldsOf<Answer.BoardConfig["defaults"]>(fields.defaults)
  return {
    columns: first,
    defaults: {
      status: wordOf(TASK_STATUSES, defaults.status) ?? "todo",
      priority: wordOf(TASK_PRIORITIES, defaults.priority) ?? "normal"
    },
    reviewRequired: fields.reviewRequired !== false,
    allowDoneDragBypass: fields.allowDoneDragBypass === true,
    quickViewLimit: Math.max(1, numberOf(fields.quickViewLimit) ?? 5),
    proposalPolicy: fields.proposalPolicy === "auto" ? "auto" : "confirm",
    defaultModel: filledText(fields.defaultModel)
  }
}

/** One page of cards; cards without an id are left out. */
export const pageOf = (value: unknown): { readonly items: ReadonlyArray<Task>; readonly hasMore: boolean } | null => {
  const fields = recordOf<Answer.TaskPage>(value)
  if (fields === null || !Array.isArray(fields.items)) return null
  return { items: fields.items.flatMap((item) => taskOf(item) ?? []), hasMore: fields.hasMore === true }
}

/** The data of a `kanban.changed` event; null if it is unusable. */
export const changeOf = (value: unknown): KanbanChange | null => {
  const fields = fieldsOf<EventData["kanban.changed"]>(value)
  if (fields.kind === "task") {
    const id = filledText(fields.id)
    if (fields.action === "deleted") return id === null ? null : { kind: "deleted", id }
    const task = taskOf(fields.task)
    return task === null ? null : { kind: "task", task }
  }
  if (fields.kind === "proposal") {
    const proposal = proposalOf(fields.proposal)
    return proposal === null ? null : { kind: "proposal", proposal }
  }
  const config = fields.kind === "config" ? configOf(fields.config) : null
  return config === null ? null : { kind: "config", config }
}

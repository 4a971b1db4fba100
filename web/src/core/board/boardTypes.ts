import type { Fields } from "../decode.ts"

/** The six columns, in board order (SPEC "Kanban task"). */
export const TASK_STATUSES = ["backlog", "todo", "in-progress", "review", "done", "cancelled"] as const
export const TASK_PRIORITIES = ["critical", "high", "normal", "low"] as const
export const THINKING_LEVELS = ["off", "low", "medium", "high"] as const

export type TaskStatus = (typeof TASK_STATUSES)[number]
export type TaskPriority = (typeof TASK_PRIORITIES)[number]
export type ThinkingLevel = (typeof THINKING_LEVELS)[number]

/** The active or last run of a task. Times are epoch milliseconds. */
export interface RunLink {
  readonly sessionKey: string
  readonly startedAt: number
  readonly endedAt: number | null
  readonly status: "running" | "done" | "error" | "aborted"
  readonly error: string | null
  readonly note: string | null
}

export interface FeedbackEntry {
  readonly at: number
  readonly by: string
  readonly note: string
}

/** A card of the board; what the server leaves out is null here. Times are epoch milliseconds. */
export interface Task {
  readonly id: string
  readonly title: string
  readonly description: string | null
  readonly status: TaskStatus
  readonly priority: TaskPriority
  readonly createdBy: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly version: number
  readonly sourceSessionKey: string | null
  readonly assignee: string | null
  readonly labels: ReadonlyArray<string>
  /** Place in the column when the server sent this card; the column's own order is what counts. */
  readonly columnOrder: number
  readonly run: RunLink | null
  readonly result: string | null
  readonly resultAt: number | null
  readonly model: string | null
  readonly thinking: ThinkingLevel | null
  readonly dueAt: number | null
  readonly estimateMin: number | null
  readonly actualMin: number | null
  readonly feedback: ReadonlyArray<FeedbackEntry>
}

/** The fields a person may change (D47); null clears. */
export type TaskValues = Pick<
  Task,
  | "title"
  | "description"
  | "status"
  | "priority"
  | "assignee"
  | "labels"
  | "model"
  | "thinking"
  | "dueAt"
  | "estimateMin"
  | "actualMin"
  | "result"
>
export type TaskField = keyof TaskValues
export type TaskChanges = Partial<TaskValues>

/** A change somebody asks for; the payload is shown as it is. */
export interface Proposal {
  readonly id: string
  readonly type: "create" | "update"
  readonly payload: Fields
  readonly sourceSessionKey: string | null
  readonly proposedBy: string
  readonly proposedAt: number
  readonly status: "pending" | "approved" | "rejected"
  readonly version: number
  readonly resolvedAt: number | null
  readonly reason: string | null
}

export interface BoardColumn {
  readonly key: TaskStatus
  readonly title: string
  /** 0 means no limit. */
  readonly wipLimit: number
  readonly visible: boolean
}

/** SPEC "Board configuration". */
export interface BoardConfig {
  readonly columns: ReadonlyArray<BoardColumn>
  readonly defaults: { readonly status: TaskStatus; readonly priority: TaskPriority }
  readonly reviewRequired: boolean
  readonly allowDoneDragBypass: boolean
  readonly quickViewLimit: number
  readonly proposalPolicy: "confirm" | "auto"
  readonly defaultModel: string | null
}

/** What `kanban.changed` tells (D45). */
export type KanbanChange =
  | { readonly kind: "task"; readonly task: Task }
  | { readonly kind: "deleted"; readonly id: string }
  | { readonly kind: "proposal"; readonly proposal: Proposal }
  | { readonly kind: "config"; readonly config: BoardConfig }

/** Whether an agent is working on a card. */
export const isRunning = (task: Pick<Task, "status" | "run">): boolean =>
  task.status === "in-progress" && task.run?.status === "running"

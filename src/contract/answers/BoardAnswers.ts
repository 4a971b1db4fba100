import type { Done } from "./AccessAnswers.ts"

/** The six columns, in board order. */
export const TASK_STATUSES = ["backlog", "todo", "in-progress", "review", "done", "cancelled"] as const
export const TASK_PRIORITIES = ["critical", "high", "normal", "low"] as const
export const THINKING_LEVELS = ["off", "low", "medium", "high"] as const

/** Most cards in one answer. */
export const MAX_TASKS_PER_PAGE = 200

export type TaskStatus = (typeof TASK_STATUSES)[number]

/** The titles of a new board's columns. The page shows them in its own language as long as nobody has changed them. */
export const DEFAULT_TITLES: Readonly<Record<TaskStatus, string>> = {
  backlog: "Backlog",
  todo: "To Do",
  "in-progress": "In Progress",
  review: "Review",
  done: "Done",
  cancelled: "Cancelled"
}

export type TaskPriority = (typeof TASK_PRIORITIES)[number]
export type ThinkingLevel = (typeof THINKING_LEVELS)[number]

/** The active or last run of a task. Times are epoch milliseconds. */
export interface RunLink {
  readonly sessionKey: string
  readonly sessionId?: string
  readonly runId?: string
  readonly startedAt: number
  readonly endedAt?: number
  readonly status: "running" | "done" | "error" | "aborted"
  readonly error?: string
  /** What a person should know about a run that went on all the same, such as another model. */
  readonly note?: string
  /** On a board that several consoles share: the one that carries the run out, and its gateway's address. */
  readonly console?: string
  readonly gateway?: string
  /** The added gateway it runs on; absent for the primary one. */
  readonly gatewayId?: string
}

export interface FeedbackEntry {
  readonly at: number
  readonly by: string
  readonly note: string
}

/** Who took a card from one column to another, and how; `by` is a person's name or `agent:<label>`. */
export interface HistoryEntry {
  readonly at: number
  readonly by: string
  readonly what: "moved" | "started" | "stopped" | "approved" | "sent-back"
  readonly from: TaskStatus
  readonly to: TaskStatus
}

/** A step of a card. */
export interface ChecklistItem {
  readonly id: string
  readonly text: string
  readonly done: boolean
}

/** What somebody said about a card; `by` is `operator`, a person's name or `agent:<label>`. */
export interface TaskComment {
  readonly id: string
  readonly at: number
  readonly by: string
  readonly text: string
}

/** A card of the board. Times are epoch milliseconds. */
export interface Task {
  readonly id: string
  readonly title: string
  readonly description?: string
  readonly status: TaskStatus
  readonly priority: TaskPriority
  readonly createdBy: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly version: number
  readonly sourceSessionKey?: string
  readonly assignee?: string
  readonly labels: ReadonlyArray<string>
  /** The added gateway whose agent works on it; absent for the primary one. */
  readonly gatewayId?: string
  /** Place in the column when the server sent this card; the column's own order is what counts. */
  readonly columnOrder: number
  readonly run?: RunLink
  readonly result?: string
  readonly resultAt?: number
  readonly model?: string
  readonly thinking?: ThinkingLevel
  readonly dueAt?: number
  readonly estimateMin?: number
  readonly actualMin?: number
  readonly feedback: ReadonlyArray<FeedbackEntry>
  /** Oldest first; only what was done on consoles that know their person's name. */
  readonly history?: ReadonlyArray<HistoryEntry>
  readonly checklist?: ReadonlyArray<ChecklistItem>
  readonly commentCount?: number
}

/** How a view shows the board. */
export const VIEW_LAYOUTS = ["board", "list"] as const
export type ViewLayout = (typeof VIEW_LAYOUTS)[number]

/** What cards in a list can be sorted by, within their column. */
export const TASK_SORTS = ["title", "status", "priority", "assignee", "labels", "due", "updated", "cost"] as const
export type TaskSort = (typeof TASK_SORTS)[number]

/** A named way to look at the board; the same for everyone who uses it. */
export interface SavedView {
  readonly id: string
  readonly name: string
  readonly layout: ViewLayout
  readonly filter?: {
    readonly q?: string
    readonly priorities?: ReadonlyArray<TaskPriority>
    readonly labels?: ReadonlyArray<string>
    /** `none` means unassigned. */
    readonly assignee?: string
    readonly overdue?: boolean
  }
  readonly sort?: { readonly by: TaskSort; readonly descending?: boolean }
}

/** One page of cards. */
export interface TaskPage {
  readonly items: ReadonlyArray<Task>
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly hasMore: boolean
}

/** Fields of a card somebody asks for. */
export interface CreatePayload {
  readonly title: string
  readonly description?: string
  readonly status?: TaskStatus
  readonly priority?: TaskPriority
  readonly assignee?: string
  readonly labels?: ReadonlyArray<string>
  readonly model?: string
  readonly thinking?: ThinkingLevel
  readonly dueAt?: number
  readonly estimateMin?: number
  readonly checklist?: ReadonlyArray<{ readonly id?: string; readonly text: string; readonly done?: boolean }>
}

/** Changes of a card somebody asks for. */
export interface UpdatePayload {
  readonly id: string
  readonly title?: string
  readonly description?: string
  readonly status?: TaskStatus
  readonly priority?: TaskPriority
  readonly assignee?: string
  readonly labels?: ReadonlyArray<string>
  readonly result?: string
  readonly checklist?: ReadonlyArray<{ readonly id?: string; readonly text: string; readonly done?: boolean }>
}

interface ProposalFields {
  readonly id: string
  readonly sourceSessionKey?: string
  readonly proposedBy: string
  readonly proposedAt: number
  readonly status: "pending" | "approved" | "rejected"
  readonly version: number
  readonly resolvedAt?: number
  readonly reason?: string
}

interface CreateProposal extends ProposalFields {
  readonly type: "create"
  readonly payload: CreatePayload
}

interface UpdateProposal extends ProposalFields {
  readonly type: "update"
  readonly payload: UpdatePayload
}

/** A change somebody asks for. */
export type Proposal = CreateProposal | UpdateProposal

export interface BoardColumn {
  readonly key: TaskStatus
  readonly title: string
  /** 0 or absent means unlimited; enforced by the web app. */
  readonly wipLimit?: number
  readonly visible: boolean
}

/** What a board does by itself, and which columns it shows. */
export interface BoardConfig {
  readonly columns: ReadonlyArray<BoardColumn>
  readonly defaults: { readonly status: TaskStatus; readonly priority: TaskPriority }
  readonly reviewRequired: boolean
  readonly allowDoneDragBypass: boolean
  readonly quickViewLimit: number
  readonly proposalPolicy: "confirm" | "auto"
  readonly defaultModel?: string
}

/** The body beside the 409 of a change that was made for an older version. */
export interface VersionConflict {
  readonly error: "version_conflict"
  readonly serverVersion: number
  readonly latest: Task
}

/** The task board. */
export interface BoardAnswers {
  readonly "GET /api/kanban/tasks": TaskPage
  readonly "POST /api/kanban/tasks": Task
  readonly "PATCH /api/kanban/tasks/:id": Task
  readonly "DELETE /api/kanban/tasks/:id": Done
  readonly "POST /api/kanban/tasks/:id/reorder": Task
  readonly "POST /api/kanban/tasks/:id/execute": Task
  readonly "POST /api/kanban/tasks/:id/complete": Task
  readonly "POST /api/kanban/tasks/:id/approve": Task
  readonly "POST /api/kanban/tasks/:id/reject": Task
  readonly "POST /api/kanban/tasks/:id/abort": Task
  readonly "GET /api/kanban/tasks/:id/comments": { readonly comments: ReadonlyArray<TaskComment> }
  readonly "POST /api/kanban/tasks/:id/comments": TaskComment
  readonly "DELETE /api/kanban/tasks/:id/comments/:commentId": Done
  readonly "GET /api/kanban/views": { readonly views: ReadonlyArray<SavedView> }
  readonly "PUT /api/kanban/views/:id": SavedView
  readonly "DELETE /api/kanban/views/:id": Done
  readonly "GET /api/kanban/proposals": { readonly proposals: ReadonlyArray<Proposal> }
  readonly "POST /api/kanban/proposals": Proposal
  readonly "POST /api/kanban/proposals/:id/approve": {
    readonly proposal: Pick<ProposalFields, "id" | "status" | "resolvedAt">
    readonly task: Pick<Task, "id" | "title">
  }
  readonly "POST /api/kanban/proposals/:id/reject": {
    readonly proposal: Pick<ProposalFields, "id" | "status" | "reason">
  }
  readonly "GET /api/kanban/config": BoardConfig
  readonly "PUT /api/kanban/config": BoardConfig
}

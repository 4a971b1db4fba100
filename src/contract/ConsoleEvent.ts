import type { DraftChange } from "./answers/DraftAnswers.ts"
import type { GatewayChange, GatewayStatus } from "./answers/GatewayAnswers.ts"
import type { AgentLogEntry } from "./answers/KnowledgeAnswers.ts"
import type { SessionMark } from "./answers/SessionAnswers.ts"
import type { UsageSummary } from "./answers/UsageAnswers.ts"
import type { ModelDownload } from "./answers/VoiceAnswers.ts"
import type { InboxChange } from "./schema/inbox.ts"
import type { KanbanChange } from "./schema/kanbanChange.ts"
import type { OutboxChange } from "./schema/outbox.ts"

/** The memory of an agent has changed, by a request or by somebody who saved its file. */
export interface MemoryChange {
  readonly source: "api" | "file"
  readonly action: "added" | "updated" | "deleted"
  /** Name of the file. */
  readonly file: string
  /** Of a request that changed one. */
  readonly section?: string
  /** Whose memory; absent for the default agent. */
  readonly agent?: string
  /** Of an added gateway, whose agents are always named. */
  readonly gatewayId?: string
}

/** A file of a workspace has changed. */
export interface FileChange {
  /** Relative to the workspace. */
  readonly path: string
  /** Epoch milliseconds; 0 when the file is gone. */
  readonly mtime: number
  /** Whose workspace; absent for the default agent. */
  readonly agent?: string
}

/** A download, or that it is done. */
export interface DownloadChange extends Omit<ModelDownload, "status"> {
  readonly status: ModelDownload["status"] | "done"
}

/** A moment in epoch milliseconds. */
export interface Moment {
  readonly ts: number
}

/** What each event tells. */
export interface EventData {
  readonly connected: Moment
  readonly ping: Moment
  readonly "status.changed": GatewayStatus
  readonly "gateway.changed": GatewayChange
  readonly "kanban.changed": KanbanChange
  readonly "inbox.changed": InboxChange
  readonly "outbox.changed": OutboxChange
  readonly "draft.changed": DraftChange
  readonly "session.marked": SessionMark
  readonly "memory.changed": MemoryChange
  readonly "file.changed": FileChange
  readonly "agentlog.added": { readonly entry: AgentLogEntry }
  readonly "tokens.updated": Omit<UsageSummary, "totalMessages" | "entries" | "persistent">
  readonly "stt.download": DownloadChange
}
export type EventName = keyof EventData

/** An event of `/api/events`. */
export type ConsoleEvent = {
  readonly [Name in EventName]: { readonly event: Name; readonly data: EventData[Name] }
}[EventName]

/** An event with the time at which it was published, in epoch milliseconds. */
export type PublishedEvent = ConsoleEvent & Moment

/** Every event; an `EventSource` has to be told their names in advance. */
export const EVENT_NAMES: ReadonlyArray<EventName> = [
  "connected",
  "ping",
  "status.changed",
  "gateway.changed",
  "kanban.changed",
  "inbox.changed",
  "outbox.changed",
  "draft.changed",
  "session.marked",
  "memory.changed",
  "file.changed",
  "agentlog.added",
  "tokens.updated",
  "stt.download"
]

/** Events that tell how something stands: who listens later gets the last of each. */
export const STATE_EVENTS: ReadonlySet<string> = new Set<EventName>(["status.changed"])

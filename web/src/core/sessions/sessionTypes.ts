import type { ActionResult, Readable } from "../common/Observable.ts"
import type { GatewayLink } from "../link/linkTypes.ts"
import type { MarkChange, SharedMarks } from "./MarksStore.ts"

/** What a session is doing, most urgent first: a `waiting`, `denied` or `error` is never hidden by `unread`. */
export type SessionState = "working" | "waiting" | "denied" | "error" | "unread" | "idle"

export type SessionKind = "main" | "chat" | "subagent" | "cron" | "task"

export interface SessionRow {
  readonly key: string
  readonly sessionId: string | null
  readonly agentId: string
  readonly kind: SessionKind
  /** The name to show; never empty. */
  readonly title: string
  /** The name a person gave, if any. */
  readonly label: string | null
  readonly preview: string | null
  readonly parentKey: string | null
  readonly state: SessionState
  /** A run is known, or very likely, to be in progress, even while it waits for someone. */
  readonly running: boolean
  /** The last run ended with an error; the `state` only says so until a person has seen it. */
  readonly failed: boolean
  /** What the last run asked for wasn't allowed; the `state` only says so until a person has seen it. */
  readonly denied: boolean
  readonly unread: boolean
  readonly pinned: boolean
  readonly archived: boolean
  /** The name of the group a person put it in. */
  readonly group: string | null
  /** When something last happened in it. */
  readonly updatedAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly model: string | null
  readonly modelProvider: string | null
  readonly thinkingLevel: string | null
  readonly thinkingLevels: ReadonlyArray<{ readonly id: string; readonly label: string }>
  /** What the conversation has in the model's context; null where the gateway doesn't know. */
  readonly totalTokens: number | null
  readonly contextTokens: number | null
  /** US dollars by the gateway's own estimate. */
  readonly cost: number | null
}

export interface SessionNode {
  readonly row: SessionRow
  readonly depth: number
  readonly children: ReadonlyArray<SessionNode>
}

export interface SessionsState {
  readonly status: "loading" | "ready" | "failed"
  readonly message: string | null
  /** Newest first, without archived ones; the main session is always present once connected. */
  readonly rows: ReadonlyArray<SessionRow>
  /** The same as a forest; the newest of a family determines its position. */
  readonly tree: ReadonlyArray<SessionNode>
  /** Sessions that were put away, newest first; all of them once they are wanted. */
  readonly archived: ReadonlyArray<SessionRow>
  readonly unreadCount: number
  /** The gateway has more sessions than were read. */
  readonly hasMore: boolean
}

/** Before anything was read. */
export const NO_SESSIONS: SessionsState = {
  status: "loading",
  message: null,
  rows: [],
  tree: [],
  archived: [],
  unreadCount: 0,
  hasMore: false
}

/** Options for a new session; without an agent it belongs to the gateway's default one. */
export interface NewSession {
  /** An added gateway; absent for the primary one. */
  readonly gatewayId?: string
  readonly agentId?: string
}

export interface SessionsStore {
  readonly state: Readable<SessionsState>
  /** The session on screen; its frames are read as they arrive. Remembered across reloads. */
  readonly activeKey: Readable<string>
  select(key: string): void
  /** Whether someone is looking. */
  readonly isVisible: Readable<boolean>
  /** Shows the sessions of other gateways with its own. */
  showOthers(rows: ReadonlyArray<SessionRow>, hasMore: boolean): void
  /** Tells the store whether someone is looking, so that unread counts are right in hidden tabs. */
  setVisible(visible: boolean): void
  find(key: string): SessionRow | null
  /** Whether the gateway's own end cut off the session's last turn. */
  wasCutOff(key: string): boolean
  /** Reads the list anew, and what is not certain of its runs. */
  refresh(): Promise<void>
  /** How many of the newest sessions should have a title; the gateway is asked about those without one. */
  wantTitles(count: number): void
  /** Whether archived sessions are read, too. */
  readonly wantsArchived: Readable<boolean>
  setWantsArchived(wanted: boolean): void
  /** Selects an empty session, which exists from its first message on; the value is its key. */
  create(options?: NewSession): string
  /** Gives a new session what was chosen for it, before its first message; null if there's nothing to wait for. */
  prepare(key: string): Promise<ActionResult<unknown>> | null
  /** Pins, archives or groups a session for all devices. */
  mark(key: string, change: MarkChange): Promise<ActionResult>
  /** The gateway's time, to archive with. */
  gatewayNow(): number
  rename(key: string, label: string): Promise<ActionResult>
  setModel(key: string, model: string | null): Promise<ActionResult>
  setThinking(key: string, level: string | null): Promise<ActionResult>
  reset(key: string): Promise<ActionResult>
  /** Ends what the session's agent does right now. */
  stop(key: string): Promise<ActionResult>
  remove(key: string): Promise<ActionResult>
  /** Hides a session in the list, or shows it again: its deletion can still be undone. */
  setHidden(key: string, hidden: boolean): void
  /** Reads twice as many sessions. */
  readMore(): Promise<void>
  dispose(): void
}

/** What a gateway's sessions depend on besides its link. */
export interface SessionsOptions {
  /** The sessions whose agents wait for a person. */
  readonly waiting: Readable<ReadonlySet<string>>
  /** Why it isn't known who waits; undefined until that was read. */
  readonly waitingFailure?: Readable<string | null | undefined>
  /** When each session's newest request was made that nobody allowed. */
  readonly denied?: Readable<ReadonlyMap<string, number>>
  /** Where a session is asked for: that of another gateway, whose rows are shown with these, is asked for there. */
  readonly linkOf?: (key: string) => GatewayLink
  /** What the console keeps of sessions. */
  readonly shared?: Pick<SharedMarks, "state" | "act">
  /** Its rows are shown with those of the primary gateway. */
  readonly isAdded?: boolean
}

import type { ActionResult, Readable } from "./types.ts"

// ---------------------------------------------------------------- sessions

/** What a session is doing, the most urgent first: an `error` or `waiting` is never hidden by `unread`. */
export type SessionState = "working" | "waiting" | "error" | "unread" | "idle"

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
  readonly unread: boolean
  readonly updatedAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly model: string | null
  readonly modelProvider: string | null
  readonly thinkingLevel: string | null
  readonly thinkingLevels: ReadonlyArray<{ readonly id: string; readonly label: string }>
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
  /** Newest first, the main session always present once connected. */
  readonly rows: ReadonlyArray<SessionRow>
  /** The same as a forest; the newest of a family decides its place. */
  readonly tree: ReadonlyArray<SessionNode>
  readonly unreadCount: number
  /** The gateway has more sessions than were read. */
  readonly hasMore: boolean
}

/** What a new session may begin with; without an agent it is the gateway's default one's. */
export interface NewSession {
  readonly agentId?: string
  readonly label?: string
  readonly model?: string
}

export interface SessionsStore {
  readonly state: Readable<SessionsState>
  /** The session on screen; its frames are read as they come. Remembered over reloads. */
  readonly activeKey: Readable<string>
  select(key: string): void
  /** Tells the store whether somebody is looking, so that unread is counted right in hidden tabs. */
  setVisible(visible: boolean): void
  find(key: string): SessionRow | null
  refresh(): Promise<void>
  /** Makes a session and selects it; the value is its key. */
  create(options?: NewSession): Promise<ActionResult<string>>
  rename(key: string, label: string): Promise<ActionResult>
  setModel(key: string, model: string | null): Promise<ActionResult>
  setThinking(key: string, level: string | null): Promise<ActionResult>
  reset(key: string): Promise<ActionResult>
  /** Ends what the session's agent does right now. */
  stop(key: string): Promise<ActionResult>
  remove(key: string): Promise<ActionResult>
  /** Leaves a session out of the list, or shows it again: its removal can still be undone. */
  setHidden(key: string, hidden: boolean): void
  /** Reads twice as many sessions. */
  readMore(): Promise<void>
  dispose(): void
}

// ---------------------------------------------------------------- chat

/** An image on its way to the agent; `content` is base64 without a prefix. */
export interface OutgoingImage {
  readonly mimeType: string
  readonly fileName: string
  readonly content: string
}

/** A message that was not sent after all. */
export interface TakenBack {
  readonly text: string
  readonly images: ReadonlyArray<OutgoingImage>
}

interface ItemBase {
  /** Stable from the first sight of an item to the end, over streaming, `final` and history reads: use it as list key. */
  readonly key: string
  /** Epoch milliseconds, null when unknown. */
  readonly at: number | null
}

/**
 * `held` waits in this page until the running turn is over and can be taken back; `queued` waits for it at the gateway;
 * `failed` carries a sentence and may be retried.
 */
export type Delivery = "held" | "sending" | "queued" | "sent" | "failed"

export interface UserItem extends ItemBase {
  readonly kind: "user"
  readonly text: string
  /** `src` is a data URL of what was just sent, or null where the gateway keeps no picture. */
  readonly images: ReadonlyArray<{ readonly name: string; readonly src: string | null }>
  readonly delivery: Delivery
  readonly error: string | null
}

export interface AssistantItem extends ItemBase {
  readonly kind: "assistant"
  /** Raw text with its markers; give it to `parseMarkers`, then to the markdown renderer. */
  readonly text: string
  readonly streaming: boolean
  readonly model: string | null
  /** True for the gateway's own notes and command answers. */
  readonly injected: boolean
  readonly usage: { readonly input: number; readonly output: number; readonly cost: number | null } | null
}

export interface ThinkingItem extends ItemBase {
  readonly kind: "thinking"
  readonly text: string
  readonly streaming: boolean
}

export interface ToolItem extends ItemBase {
  readonly kind: "tool"
  readonly callId: string
  readonly name: string
  /** The gateway's short description of what the tool does, if it gave one. */
  readonly title: string | null
  readonly args: unknown
  /** Text of the (partial) result; empty until there is one. */
  readonly output: string
  readonly status: "running" | "done" | "error" | "aborted"
  readonly startedAt: number | null
  readonly durationMs: number | null
}

export interface ErrorItem extends ItemBase {
  readonly kind: "error"
  readonly message: string
}

export interface AbortedItem extends ItemBase {
  readonly kind: "aborted"
}

export type ChatItem = UserItem | AssistantItem | ThinkingItem | ToolItem | ErrorItem | AbortedItem

/** SPEC "Agent activity state in the UI". `DONE` becomes `IDLE` after 3 seconds; an abort goes to `IDLE` at once. */
export type Activity = "IDLE" | "THINKING" | "STREAMING" | "DONE"

export interface ChatState {
  readonly sessionKey: string
  /** `loading` only before the first page; a later resync keeps what is on screen. */
  readonly status: "loading" | "ready" | "failed"
  readonly message: string | null
  /** Oldest first. Unchanged items keep their identity between states. */
  readonly items: ReadonlyArray<ChatItem>
  readonly activity: Activity
  /** A turn is running on this session, whoever started it. */
  readonly running: boolean
  readonly aborting: boolean
  /** Messages waiting behind the running turn, here or at the gateway. */
  readonly queued: number
  /** What the gateway prepares before the model starts, such as `starting_model`. */
  readonly phase: string | null
  readonly hasOlder: boolean
  readonly loadingOlder: boolean
}

export interface ChatStore {
  readonly state: Readable<ChatState>
  /**
   * Shows the message at once and sends it; false when there is nothing to send. While a turn runs it is held until
   * that is over, unless it is meant to `steer` the turn.
   */
  send(text: string, images?: ReadonlyArray<OutgoingImage>, steer?: boolean): boolean
  /** Sends a held message into the running turn; a gateway that cannot do that stops the turn first. */
  steer(key: string): Promise<ActionResult>
  /** Sends a failed message again under its old idempotency key, so it can never run twice. */
  retry(key: string): void
  /** Takes a failed or held message off the screen for the composer. */
  takeBack(key: string): TakenBack | null
  /** Takes all held messages off the screen for the composer, the oldest first. */
  takeHeld(): ReadonlyArray<TakenBack>
  abort(): Promise<ActionResult>
  /**
   * Asks a delivered question again, in other words where `text` is given. What followed it leaves the session where the
   * gateway can take it back; else the question comes again at the end.
   */
  askAgain(key: string, text?: string): Promise<ActionResult>
  /** The same for the last question. */
  regenerate(): Promise<ActionResult>
  loadOlder(): Promise<void>
  resync(): Promise<void>
  /** Tells when a turn ended that was not stopped by this page, for notifications and speech. */
  onTurnEnd(listener: (turn: TurnEnd) => void): () => void
  dispose(): void
}

export interface TurnEnd {
  readonly sessionKey: string
  readonly outcome: "done" | "error" | "aborted"
  /** The raw text of the answer. */
  readonly text: string
  /** What was asked; null for a turn that nobody on this page knows the question of. */
  readonly question: string | null
}

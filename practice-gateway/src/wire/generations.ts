/** The two gateway generations the console speaks to: `old` = wire protocol 3, `new` = wire protocol 4. */
export type Generation = "old" | "new"

/** A generation's identity and limits. */
export interface GenerationFacts {
  readonly version: string
  readonly protocol: number
  /** How long a client may take to send `connect`. */
  readonly connectTimeoutMs: number
  /** Longest text in `chat.history` before it is cut, unless `maxChars` says otherwise. */
  readonly historyMaxChars: number
  /** Shortest time between two streamed `agent` assistant events; 0 sends every token. */
  readonly assistantIntervalMs: number
  /** Shortest time between two `chat` deltas. */
  readonly deltaIntervalMs: number
  /** How long a command waits for approval. */
  readonly approvalTimeoutMs: number
}

export const GENERATIONS: Readonly<Record<Generation, GenerationFacts>> = {
  old: {
    version: "2026.3.23-2",
    protocol: 3,
    connectTimeoutMs: 10_000,
    historyMaxChars: 12_000,
    assistantIntervalMs: 0,
    deltaIntervalMs: 150,
    approvalTimeoutMs: 120_000
  },
  new: {
    version: "2026.9.6",
    protocol: 4,
    connectTimeoutMs: 15_000,
    historyMaxChars: 8_000,
    assistantIntervalMs: 75,
    deltaIntervalMs: 75,
    approvalTimeoutMs: 30 * 60_000
  }
}

/** Largest frame in bytes before the handshake. */
export const MAX_HANDSHAKE_FRAME = 64 * 1024

/** Largest frame in bytes after the handshake; the largest a client may expect too. */
export const MAX_FRAME = 25 * 1024 * 1024

/** Bytes waiting for one slow client before it is closed with 1008 `slow consumer`. */
export const MAX_BUFFERED = 50 * 1024 * 1024

/** Milliseconds between two `tick` events. */
export const TICK_INTERVAL_MS = 30_000

/** Milliseconds between two WebSocket pings of the newer generation. */
export const PING_INTERVAL_MS = 25_000

/** Milliseconds between two `health` events. */
export const HEALTH_INTERVAL_MS = 60_000

/** The events the embedded gateway sends, as `hello-ok` lists them. */
export const EVENT_NAMES = [
  "connect.challenge",
  "agent",
  "chat",
  "session.message",
  "session.tool",
  "sessions.changed",
  "presence",
  "tick",
  "shutdown",
  "health",
  "cron",
  "exec.approval.requested",
  "exec.approval.resolved",
  "question.requested",
  "question.resolved",
  "device.pair.requested",
  "device.pair.resolved"
] as const

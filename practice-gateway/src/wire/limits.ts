/** Largest frame in bytes before the handshake. */
export const MAX_HANDSHAKE_FRAME = 64 * 1024

/** Largest frame in bytes after the handshake; the largest a client may expect too. */
export const MAX_FRAME = 25 * 1024 * 1024

/** Bytes waiting for one slow client before it is closed with 1008 `slow consumer`. */
export const MAX_BUFFERED = 50 * 1024 * 1024

/** Milliseconds between two `tick` events. */
export const TICK_INTERVAL_MS = 30_000

/** Milliseconds between two WebSocket pings. */
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

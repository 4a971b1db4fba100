/**
 * How a message is handed over. `next`: when the session is free. `steer`: to the running response where the gateway
 * can, else like `next`. `interrupt`: the running response is stopped first.
 */
export const OUTBOX_MODES = ["next", "steer", "interrupt"] as const
export type OutboxMode = (typeof OUTBOX_MODES)[number]

/** `handed`: the gateway has it. `unsure`: the gateway may have it, and nothing says whether it does. */
export const OUTBOX_STATES = ["waiting", "sending", "handed", "failed", "unsure"] as const
export type OutboxState = (typeof OUTBOX_STATES)[number]

/** What a person decides about a message that failed or whose fate is unknown. */
export const OUTBOX_DECISIONS = ["sent", "again", "drop"] as const
export type OutboxDecision = (typeof OUTBOX_DECISIONS)[number]

/** Messages of one session that haven't been handed over. */
export const MAX_WAITING = 200
/** Bytes of all messages that are kept, with their attachments. */
export const MAX_OUTBOX_BYTES = 200_000_000
/** Bytes of one message's attachments, decoded. */
export const MAX_ATTACHMENT_BYTES = 12_000_000
export const MAX_ATTACHMENTS = 20
/** Characters of one message. */
export const MAX_MESSAGE = 200_000

/** A message on its way to an agent. */
export interface OutboxItem {
  /** The sender's own id, a UUID. */
  readonly id: string
  /** `primary` is the gateway of the settings. */
  readonly gatewayId: string
  readonly sessionKey: string
  readonly text: string
  /** What comes with it, without its contents; absent for nothing. */
  readonly attachments?: ReadonlyArray<{ readonly name: string; readonly type: string; readonly size: number }>
  readonly mode: OutboxMode
  /** Its place in the session's list, from 0. */
  readonly position: number
  /** Epoch milliseconds before which it isn't sent; later messages don't wait for it. */
  readonly notBefore?: number
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly state: OutboxState
  /** The id of the run that it asks for at the gateway. */
  readonly runId: string
  /** Why it failed, or why nobody knows, and what to do. */
  readonly error?: string
}

/** The outbox's answers by their request. */
export interface OutboxAnswers {
  readonly "GET /api/outbox": { readonly items: ReadonlyArray<OutboxItem> }
  readonly "POST /api/outbox": OutboxItem
  readonly "PATCH /api/outbox/:id": OutboxItem
  readonly "DELETE /api/outbox/:id": { readonly ok: true }
  readonly "POST /api/outbox/:id/resolve": { readonly ok: true }
}

/** How a message stands, without what is in it. */
export type OutboxStanding = Pick<OutboxItem, "id" | "mode" | "notBefore" | "state" | "runId" | "error">

/** Lists of more messages aren't told with their changes. */
export const MAX_TOLD = 20

/** The list of a session has changed. */
export interface OutboxChange {
  readonly gatewayId: string
  readonly sessionKey: string
  /** All of the session's messages in their order; absent if the words of one were changed, or if there are many. */
  readonly items?: ReadonlyArray<OutboxStanding>
}

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

/** Lists of more messages aren't told with their changes. */
export const MAX_TOLD = 20

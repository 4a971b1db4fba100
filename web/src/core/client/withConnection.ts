/**
 * What loads with the first connection, in one file: each of these would otherwise be a request of its own while the first
 * screen is still arriving.
 */
export { createInboxStore } from "../inbox/InboxStore.ts"
export { openKept } from "../outbox/browserKept.ts"
export { createOutboxStore } from "../outbox/OutboxStore.ts"
export { createMarksStore } from "../sessions/MarksStore.ts"

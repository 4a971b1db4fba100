import type { ConversationHead } from "../../../../src/contract/schema/conversation.ts"

/** The head of a conversation in which nothing happens. */
export const liveHead = (more: Partial<ConversationHead> = {}): ConversationHead => ({
  status: "ready",
  linked: true,
  deleted: false,
  unknown: false,
  activity: "IDLE",
  running: false,
  stopping: false,
  queued: 0,
  versions: [],
  tips: [],
  can: { steer: true, rewind: true, versions: true, attach: 1_000_000 },
  ...more
})

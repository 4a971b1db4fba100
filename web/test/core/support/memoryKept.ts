import type { WrittenMessage } from "../../../../src/services/conversations/turn/outgoing.ts"
import type { KeptMessages } from "../../../src/core/link/Environment.ts"

/** What a browser keeps of messages, in memory: `messages` outlives a page, as the browser's own database does. */
export const memoryKept = (messages = new Map<string, WrittenMessage>()): KeptMessages => ({
  all: async () => [...messages.values()].toSorted((a, b) => a.at - b.at),
  put: async (message) => {
    messages.set(message.id, message)
  },
  remove: async (id) => messages.delete(id)
})

import { type ChatStoreOptions, createChatStore } from "../conversation/ChatStore.ts"
import type { ChatStore } from "../conversation/chatTypes.ts"
import { createLiveChat, type LiveChatOptions } from "../conversation/LiveChat.ts"

/** Set by the build: `live` shows conversations as the console keeps them, `relay` makes them of a gateway's frames. */
declare const __PAGE_BRAIN__: string

/** Opens a session's conversation. */
export const openChat = (options: ChatStoreOptions & LiveChatOptions): ChatStore =>
  __PAGE_BRAIN__ === "live" ? createLiveChat(options) : createChatStore(options)

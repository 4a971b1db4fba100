import type { ChatStore } from "../core/conversation/chatTypes.ts"
import { messagesIn } from "../core/conversation/messagesIn.ts"
import { keepsVersions } from "../core/conversation/versions/keepsVersions.ts"
import type { GatewayLink } from "../core/link/linkTypes.ts"

/** What sending an edited message does; empty if it removes nothing. */
export function editNote(link: Pick<GatewayLink, "hello">, chat: ChatStore, key: string): string {
  const later = messagesIn(chat.removedBy(key)) - 1
  const count = later === 1 ? "1 later message" : `${later} later messages`
  if (later >= 0 && keepsVersions(link))
    return `. This version stays${later > 0 ? `, with ${count}` : ""}: you can switch back to it.`
  return later < 1 ? "" : `. ${count} will be removed; this browser keeps a copy.`
}

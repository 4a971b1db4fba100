import type { ChatStore } from "../core/conversation/chatTypes.ts"
import { messagesIn } from "../core/conversation/messagesIn.ts"
import { keepsVersions } from "../core/conversation/versions/keepsVersions.ts"
import { say, sayCount } from "../core/language/say.ts"
import type { GatewayLink } from "../core/link/linkTypes.ts"

const sentence = (link: Pick<GatewayLink, "hello">, later: number): string => {
  if (later >= 0 && keepsVersions(link))
    return later === 0
      ? say("This version stays: you can switch back to it.")
      : sayCount(
          later,
          "This version stays, with {count} later message: you can switch back to it.",
          "This version stays, with {count} later messages: you can switch back to it."
        )
  return later < 1
    ? ""
    : sayCount(
        later,
        "{count} later message will be removed; this browser keeps a copy.",
        "{count} later messages will be removed; this browser keeps a copy."
      )
}

/** What sending an edited message does, after the words that one is being edited; empty if it removes nothing. */
export function editNote(link: Pick<GatewayLink, "hello">, chat: ChatStore, key: string): string {
  const note = sentence(link, messagesIn(chat.removedBy(key)) - 1)
  return note === "" ? "" : `. ${note}`
}

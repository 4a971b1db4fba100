import { plainWords } from "../../../src/contract/spokenMessage.ts"
import type { DraftStore } from "../core/composer/DraftStore.ts"
import { messageBelow } from "../core/composer/messageFiles.ts"
import type { ChatStore } from "../core/conversation/chatTypes.ts"

/**
 * Moves messages that weren't sent and are nowhere but on screen into the draft, after any text already there, so that
 * leaving the page loses none.
 */
export const keepUnsent = (chat: Pick<ChatStore, "state">, sessionKey: string, drafts: DraftStore): void => {
  const unsent = chat.state
    .get()
    .items.flatMap((item) =>
      item.kind === "user" && item.delivery === "failed" && item.waits === undefined ? [plainWords(item.text)] : []
    )
  if (unsent.length === 0) return
  drafts.set(sessionKey, messageBelow(drafts.get(sessionKey), ...unsent))
}

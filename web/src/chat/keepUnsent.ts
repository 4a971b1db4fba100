import type { ChatStore } from "../core/chatTypes.ts"
import type { DraftStore } from "../core/types.ts"
import { plainWords } from "../core/voice/spokenText.ts"

/** Puts messages that could not be sent into the draft, behind what stands there, so that leaving the page loses none. */
export const keepUnsent = (chat: Pick<ChatStore, "state">, sessionKey: string, drafts: DraftStore): void => {
  const unsent = chat.state
    .get()
    .items.flatMap((item) =>
      item.kind === "user" && (item.delivery === "failed" || item.delivery === "held") ? [plainWords(item.text)] : []
    )
  if (unsent.length === 0) return
  drafts.set(sessionKey, [drafts.get(sessionKey), ...unsent].filter((text) => text.trim() !== "").join("\n\n"))
}

import type { Client } from "../client/Client.ts"
import type { ChatStore } from "../conversation/chatTypes.ts"
import type { WantedMessage } from "../conversation/findMessage.ts"
import { marksOf } from "./groupHits.ts"
import { createSearchStore, type SearchState, type SearchStore } from "./SearchStore.ts"
import { aroundSearch } from "./searchOf.ts"
import { withValue } from "./searchWords.ts"

/** Hits that are counted. */
const LIMIT = 50

/** The index's part in the search of one conversation. */
export const conversationSearch = (client: Client): SearchStore =>
  createSearchStore({ api: client.api, around: aroundSearch(client), limit: LIMIT })

/** Looks for what is typed in the index of one session. */
export const searchOlder = (store: SearchStore, text: string, sessionKey: string): void =>
  store.type(
    text.trim() === "" ? "" : `${withValue("", "session", sessionKey)} ${withValue("", "kind", "message")} ${text}`
  )

/** The hits in messages that aren't loaded, newest first. */
export const olderHits = (
  { hits }: Pick<SearchState, "hits">,
  chat: Pick<ChatStore, "state" | "keysOf">
): ReadonlyArray<WantedMessage> => {
  const first = chat.state.get().items.find((item) => item.at !== null)?.at ?? Number.POSITIVE_INFINITY
  return hits.flatMap((hit) => {
    const isLoaded = hit.at > first || (hit.messageId !== null && chat.keysOf(hit.messageId).length > 0)
    return isLoaded ? [] : [{ id: hit.messageId, at: hit.at, marks: marksOf(hit) }]
  })
}

import type { Fields } from "../common/decode.ts"
import type { OutboxMessage } from "../outbox/outboxMessage.ts"
import type { Conversation } from "./Conversation.ts"
import type { Asked, ReadPlan, Timer } from "./ConversationEffect.ts"
import type { HistoryEntry, HistoryPage } from "./chatHistory.ts"
import type { Sent } from "./outbox.ts"

/** What comes before the messages on screen, back to this many messages from the end. */
export interface OlderPage {
  readonly entries: ReadonlyArray<HistoryEntry>
  readonly hasMore: boolean
  readonly offset: number
}

/** Everything that can happen to a conversation. `call` says where the result of a person's action goes. */
export type ConversationEvent =
  // The link.
  /** A new connection, or none. */
  | { readonly type: "linked"; readonly link: Conversation["link"] }
  /** Something was missed. */
  | { readonly type: "gap" }
  /** A gateway event about this session. */
  | { readonly type: "frame"; readonly event: string; readonly payload: Fields }
  | { readonly type: "elapsed"; readonly timer: Timer }
  // Responses to requests.
  | { readonly type: "answered"; readonly to: Asked; readonly answer: Fields }
  | { readonly type: "unanswered"; readonly to: Asked; readonly sentence: string }
  | {
      readonly type: "pageRead"
      readonly plan: ReadPlan
      readonly page: HistoryPage
      /** Whether a turn is running, null if nobody knows. */
      readonly running: boolean | null
      /** The gateway's own shutdown cut the last turn off. */
      readonly isCut: boolean
    }
  | { readonly type: "pageFailed"; readonly plan: ReadPlan; readonly sentence: string }
  /** `first` was the first item when the page was requested; null for a page that couldn't be read. */
  | { readonly type: "olderRead"; readonly first: string | null; readonly page: OlderPage | null }
  /** All of a message that the history had cut, by its place there, in the form of a history response. */
  | { readonly type: "wholeRead"; readonly source: string; readonly answer: object }
  /** The session's messages that aren't done with, as they are now. */
  | { readonly type: "outbox"; readonly messages: ReadonlyArray<OutboxMessage> }
  // A person's actions. `id` names a message that may be sent.
  | { readonly type: "send"; readonly message: Sent }
  | { readonly type: "retry"; readonly key: string; readonly id: string }
  | { readonly type: "takeBack"; readonly keys: ReadonlyArray<string> }
  | { readonly type: "abort"; readonly call: number }
  | {
      readonly type: "askAgain"
      readonly key: string
      readonly text: string | undefined
      readonly id: string
      readonly call: number
    }
  | { readonly type: "resync" }
  | { readonly type: "loadOlder" }

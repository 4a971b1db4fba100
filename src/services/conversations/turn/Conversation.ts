import type { Failure } from "../../../contract/failure.ts"
import type { Fields } from "../../../contract/looseFields.ts"
import type { OutboxMode } from "../../../contract/outbox.ts"
import type { HistoryEntry, HistoryPage } from "../history/chatHistory.ts"
import type { ActionAnswer, Activity, ChatState, TurnEnd } from "./chatItems.ts"
import type { OutboxMessage, OutgoingImage, WrittenMessage } from "./outgoing.ts"
import { type Timeline, waits } from "./timeline.ts"
import { NO_TURNS, type Turns } from "./turns.ts"

export type Timer = "paint" | "done" | "silence" | "read" | `grace ${string}`

/** What a gateway request was for; returned with the response. */
export type Asked =
  /** Requested at a mark. */
  | { readonly of: "abort"; readonly call: number; readonly askedAt: number }
  | {
      readonly of: "rewind"
      readonly call: number
      readonly key: string
      readonly id: string
      readonly text: string
      readonly images: ReadonlyArray<OutgoingImage>
    }

/** A request for the session's history. */
export interface ReadPlan {
  readonly id: number
  readonly isWhole: boolean
  readonly params: { readonly sessionKey: string; readonly limit: number; readonly maxChars?: number }
  /** The mark at the time of the request. */
  readonly askedAt: number
}

/** A request for what comes before the messages on screen. */
export interface OlderPlan {
  readonly sessionKey: string
  readonly protocol: number
  /** What is already on screen, and the maximum number of messages it was made from. */
  readonly sources: Pick<ReadonlySet<string>, "has">
  readonly count: number
  /** When the first of them was written, if that is known. */
  readonly firstAt?: number | null
  /** Messages per page; the most that there can be unless another number is given. */
  readonly limit?: number
  /** How many messages back from the end the last page went. */
  readonly offset: number
}

/** What to do outside the conversation. */
export type ConversationEffect =
  | { readonly type: "publish" }
  /** Starts or restarts a timer; `ms` null stops it. */
  | { readonly type: "timer"; readonly timer: Timer; readonly ms: number | null }
  | {
      readonly type: "request"
      readonly method: string
      readonly params: object
      readonly to: Asked
    }
  /** Gives a message to the console. */
  | { readonly type: "hand"; readonly message: WrittenMessage }
  /** Has the console send a message again that failed there. */
  | { readonly type: "again"; readonly id: string }
  | { readonly type: "read"; readonly plan: ReadPlan }
  | { readonly type: "readOlder"; readonly plan: OlderPlan; readonly first: string | null }
  /** The result of a person's action. */
  | { readonly type: "result"; readonly call: number; readonly result: ActionAnswer }
  | { readonly type: "turnEnd"; readonly turn: TurnEnd }

/** What a conversation needs to know about the gateway it is connected to. */
export interface GatewayAbilities {
  readonly protocol: number
  readonly canRewind: boolean
  /** When the gateway's process started, by this browser's clock; null if it doesn't say. */
  readonly startedAt: number | null
}

/** Everything a session's conversation knows; `step` produces the next one. */
export interface Conversation {
  readonly sessionKey: string
  /** When the current event arrived, epoch milliseconds. */
  readonly now: number
  /** What to do for the current event, in this order. */
  readonly effects: ReadonlyArray<ConversationEffect>
  /** What the gateway supports; null without a connection. */
  readonly link: GatewayAbilities | null
  readonly timeline: Timeline
  readonly turns: Turns
  /** The session's messages that aren't done with, in their order. */
  readonly outbox: ReadonlyArray<OutboxMessage>

  // What the screen shows of them.
  readonly activity: Activity
  readonly phase: string | null
  readonly paintedAt: number
  /** A render is due soon. */
  readonly paints: boolean

  // What this page is stopping.
  readonly aborting: boolean
  /** Turns stopped by this page, which need no notification. */
  readonly stopped: ReadonlySet<string>
  /** The gateway found nothing to stop, so what its list still calls running isn't. */
  readonly knownIdle: boolean

  // Reading the history.
  readonly deleted: boolean
  readonly isUnknown: boolean
  readonly status: ChatState["status"]
  readonly failure: Failure | null
  /** The number of the last history request: only its response counts. */
  readonly reads: number
  /** When the next read is due; infinite if none is. */
  readonly readAt: number
  /** The next read takes the whole page instead of just the end. */
  readonly wholeNext: boolean
  /** The next whole page decides about everything heard before this mark, which the gateway may have forgotten. */
  readonly freshSince: number | null
  /** A fresh page lacked something that was on screen: it may have been forgotten, or the history may lag behind. */
  readonly isDoubtful: boolean
  /** Reads after the last turn for a history that lags behind it. */
  readonly settling: number
  /** Consecutive failed reads. */
  readonly failures: number
  readonly hasOlder: boolean
  readonly loadingOlder: boolean
  /** How many messages back from the end the last older page went. */
  readonly olderOffset: number
}

export const newConversation = (sessionKey: string): Conversation => ({
  sessionKey,
  now: 0,
  effects: [],
  link: null,
  timeline: [],
  turns: NO_TURNS,
  outbox: [],
  activity: "IDLE",
  phase: null,
  paintedAt: 0,
  paints: false,
  aborting: false,
  stopped: new Set(),
  knownIdle: false,
  deleted: false,
  isUnknown: false,
  status: "loading",
  failure: null,
  reads: 0,
  readAt: Number.POSITIVE_INFINITY,
  wholeNext: true,
  freshSince: null,
  isDoubtful: false,
  settling: 0,
  failures: 0,
  hasOlder: false,
  loadingOlder: false,
  olderOffset: 0
})

export const isRunning = ({ turns }: Conversation): boolean => turns.active.size > 0

/** The conversation with another effect to carry out. */
export const todo = (state: Conversation, effect: ConversationEffect): Conversation => ({
  ...state,
  effects: [...state.effects, effect]
})

/** Starts or restarts a timer; stops it without a time. */
export const timer = (state: Conversation, timer: Timer, ms: number | null = null): Conversation =>
  todo(state, { type: "timer", timer, ms })

/** The part of a conversation that screens see. */
export function chatState(state: Conversation): ChatState {
  const { sessionKey, status, failure, timeline, activity, hasOlder, loadingOlder } = state
  const running = isRunning(state)
  return {
    sessionKey,
    status,
    failure,
    linked: state.link !== null,
    deleted: state.deleted,
    ...(state.isUnknown ? { isUnknown: true } : {}),
    items: timeline.map(({ item }) => item),
    activity,
    running,
    aborting: state.aborting && running,
    queued: timeline.filter(({ item }) => waits(item)).length,
    phase: running ? state.phase : null,
    hasOlder,
    loadingOlder
  }
}

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
  | { readonly type: "unanswered"; readonly to: Asked; readonly failure: Failure }
  | {
      readonly type: "pageRead"
      readonly plan: ReadPlan
      readonly page: HistoryPage
      /** Whether a turn is running, null if nobody knows. */
      readonly running: boolean | null
      /** The gateway's own shutdown cut the last turn off. */
      readonly isCut: boolean
    }
  | { readonly type: "pageFailed"; readonly plan: ReadPlan; readonly failure: Failure }
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
  /** The gateway removed a question and everything after it; null is one before all that is on screen. */
  | { readonly type: "removed"; readonly key: string | null }
  | { readonly type: "resync" }
  | { readonly type: "loadOlder" }

/** A message as a person sends it. */
export interface Sent {
  readonly id: string
  readonly text: string
  readonly images: ReadonlyArray<OutgoingImage>
  readonly mode?: OutboxMode
  readonly notBefore?: number
}

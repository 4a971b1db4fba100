import type { OutboxMessage } from "../outbox/outboxMessage.ts"
import type { ConversationEffect, Timer } from "./ConversationEffect.ts"
import type { Activity, ChatState } from "./chatTypes.ts"
import { type Timeline, waits } from "./timeline.ts"
import { NO_TURNS, type Turns } from "./turns.ts"

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
  readonly message: string | null
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
  message: null,
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
  const { sessionKey, status, message, timeline, activity, hasOlder, loadingOlder } = state
  const running = isRunning(state)
  return {
    sessionKey,
    status,
    message,
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

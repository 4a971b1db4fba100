import { type Conversation, timer, todo } from "./Conversation.ts"
import { marked } from "./turns.ts"

/** Messages of the first page and of a read after a turn. */
const FIRST_PAGE = 100
const TAIL_PAGE = 40
const MAX_CHARS = 200_000

/** Something in the history changed. */
export const SOON = 150
/** A response's files appear in a newer gateway's history a moment after its end. */
export const FILES_DELAY = 1_500
/** Something was missed, and more may be. */
export const GAP_DELAY = 1_000

/** A read that is due earlier stays due. */
export function readSoon(state: Conversation, delay: number): Conversation {
  const readAt = state.now + delay
  return readAt >= state.readAt ? state : timer({ ...state, readAt }, "read", delay)
}

export const stopReadSoon = (state: Conversation): Conversation =>
  timer({ ...state, readAt: Number.POSITIVE_INFINITY }, "read")

/** Requests the whole page or the end of the history; only the newest request's response on the current link counts. */
export function read(state: Conversation, whole: boolean): Conversation {
  const { link, sessionKey } = state
  const isWhole = state.wholeNext || whole
  const next = stopReadSoon({ ...state, wholeNext: isWhole })
  if (link === null) return next
  const turns = marked(state.turns)
  const id = state.reads + 1
  const limit = isWhole ? FIRST_PAGE : TAIL_PAGE
  const params = { sessionKey, limit, ...(link.protocol >= 4 ? { maxChars: MAX_CHARS } : {}) }
  return todo({ ...next, turns, reads: id }, { type: "read", plan: { id, isWhole, params, askedAt: turns.mark } })
}

/** Part of the session is gone: only what the gateway says from now on counts. */
export function startAnew(state: Conversation): Conversation {
  const turns = marked(state.turns)
  return { ...state, turns, freshSince: turns.mark, wholeNext: true }
}

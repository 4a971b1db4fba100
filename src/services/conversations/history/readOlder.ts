import { fieldsOf, numberOf } from "../../../contract/looseFields.ts"
import type { OlderPage, OlderPlan } from "../turn/Conversation.ts"
import { decodeHistory, type HistoryEntry, withoutEnvelopes } from "./chatHistory.ts"

/** Messages per page, the maximum in one `chat.history` response. */
const PAGE = 200
const HISTORY_LIMIT = 1_000
const MAX_CHARS = 200_000
/** Pages with nothing to show, such as internal rows, before a read gives up for now. */
const MAX_EMPTY = 20

/** A request to the gateway, whose answer goes on with what asked for it. */
interface OlderRequest {
  readonly method: "chat.history" | "sessions.get"
  readonly params: object
}

type Reading = Generator<OlderRequest, OlderPage, unknown>

/** Reads what comes before the messages on screen, back to the session's first: asks, and is given each answer. */
export const readOlder = (plan: OlderPlan): Reading => (plan.protocol >= 4 ? before(plan) : all(plan))

/** What a page has before the messages on screen; nothing of one that is newer, since the session has grown. */
const entriesBefore = (
  entries: ReadonlyArray<HistoryEntry>,
  shown: OlderPlan["sources"],
  firstAt: number | null
): ReadonlyArray<HistoryEntry> => {
  const start = entries.findIndex(({ source }) => shown.has(source))
  if (start >= 0) return entries.slice(0, start)
  const last = entries.at(-1)?.item.at ?? null
  return firstAt !== null && last !== null && last > firstAt ? [] : entries
}

/** Newer gateways page back by a number of messages; the count on screen is at most the gateway's. */
function* before({ sessionKey, sources, count, firstAt, limit = PAGE, offset: last }: OlderPlan): Reading {
  let offset = Math.max(last, count)
  for (let empty = 0; ; empty++) {
    const params = { sessionKey, limit, offset, maxChars: MAX_CHARS }
    const answer = yield { method: "chat.history", params }
    const page = decodeHistory(answer)
    const next = numberOf(fieldsOf(answer).nextOffset)
    offset = next !== null && next > offset ? next : offset + page.messageCount
    const hasMore = page.hasMore === true && page.messageCount > 0
    const entries = entriesBefore(page.entries, sources, firstAt ?? null)
    if (entries.length > 0 || !hasMore || empty >= MAX_EMPTY) return { entries, hasMore, offset }
  }
}

/** Older gateways send the end of a session; more than a thousand messages only as stored. */
function* all({ sessionKey, sources, count, offset }: OlderPlan): Reading {
  const limit = Math.max(PAGE, count * 2, offset * 2)
  const answer =
    limit <= HISTORY_LIMIT
      ? yield { method: "chat.history", params: { sessionKey, limit } }
      : withoutEnvelopes(yield { method: "sessions.get", params: { key: sessionKey, limit } })
  const page = decodeHistory(answer)
  const end = page.entries.findIndex(({ source }) => sources.has(source))
  return { entries: page.entries.slice(0, Math.max(end, 0)), hasMore: page.messageCount >= limit, offset: limit }
}

import { fieldsOf, numberOf } from "../common/decode.ts"
import type { OlderPage, OlderPlan } from "./Conversation.ts"
import { decodeHistory, withoutEnvelopes } from "./chatHistory.ts"

/** Messages per page, the maximum in one `chat.history` response. */
const PAGE = 200
const HISTORY_LIMIT = 1_000
const MAX_CHARS = 200_000
/** Pages with nothing to show, such as internal rows, before a read gives up for now. */
const MAX_EMPTY = 20

/** The session's history, and its messages as stored. */
interface Sources {
  readonly history: (params: object) => Promise<unknown>
  readonly stored: (params: object) => Promise<unknown>
}

/** Reads what comes before the messages on screen, back to the session's first. */
export const readOlder = (sources: Sources, plan: OlderPlan): Promise<OlderPage> =>
  plan.protocol >= 4 ? before(sources, plan) : all(sources, plan)

/** Newer gateways page back by a number of messages; the count on screen is at most the gateway's. */
async function before(
  { history }: Sources,
  { sessionKey, sources, count, offset: last }: OlderPlan
): Promise<OlderPage> {
  let offset = Math.max(last, count)
  for (let empty = 0; ; empty++) {
    const answer = await history({ sessionKey, limit: PAGE, offset, maxChars: MAX_CHARS })
    const page = decodeHistory(answer)
    const next = numberOf(fieldsOf(answer).nextOffset)
    offset = next !== null && next > offset ? next : offset + page.messageCount
    const hasMore = page.hasMore === true && page.messageCount > 0
    const entries = page.entries.filter(({ source }) => !sources.has(source))
    if (entries.length > 0 || !hasMore || empty >= MAX_EMPTY) return { entries, hasMore, offset }
  }
}

/** Older gateways send the end of a session; more than a thousand messages only as stored. */
async function all(
  { history, stored }: Sources,
  { sessionKey, sources, count, offset }: OlderPlan
): Promise<OlderPage> {
  const limit = Math.max(PAGE, count * 2, offset * 2)
  const answer =
    limit <= HISTORY_LIMIT
      ? await history({ sessionKey, limit })
      : withoutEnvelopes(await stored({ key: sessionKey, limit }))
  const page = decodeHistory(answer)
  const end = page.entries.findIndex(({ source }) => sources.has(source))
  return { entries: page.entries.slice(0, Math.max(end, 0)), hasMore: page.messageCount >= limit, offset: limit }
}

import { decodeHistory, type HistoryEntry } from "./chatHistory.ts"
import { fieldsOf, numberOf } from "./decode.ts"
import type { Entry } from "./liveTurn.ts"
import type { GatewayLink } from "./types.ts"
import { withoutEnvelopes } from "./withoutEnvelopes.ts"

/** Messages of a page, and the most that a gateway gives in one answer of `chat.history`. */
const PAGE = 200
const HISTORY_LIMIT = 1_000
const MAX_CHARS = 200_000
/** Pages of messages that show nothing, such as internal rows, before a read gives up for now. */
const MAX_EMPTY = 20

export interface OlderPage {
  readonly entries: ReadonlyArray<HistoryEntry>
  readonly hasMore: boolean
}

/** The id of the message an item was made of. */
const messageOf = (source: string): string => source.replace(/\.\w+~*$|~+$/, "")

/** Reads what stands before the messages on screen, back to the first one of the session. */
export class OlderPages {
  private readonly link: GatewayLink
  private readonly sessionKey: string
  /** Messages from the end that the last page went back to. */
  private offset = 0

  constructor(link: GatewayLink, sessionKey: string) {
    this.link = link
    this.sessionKey = sessionKey
  }

  /** After items were taken off the screen, or all of it was read anew. */
  reset(): void {
    this.offset = 0
  }

  async read(shown: ReadonlyArray<Entry>): Promise<OlderPage> {
    const sources = new Set(shown.flatMap(({ source }) => source ?? []))
    // The oldest message may be there in part only.
    const count = Math.max(0, new Set([...sources].map(messageOf)).size - 1)
    return (this.link.hello.get()?.protocol ?? 0) >= 4 ? this.before(sources, count) : this.all(sources, count)
  }

  /** Newer gateways go back by a number of messages; the count on screen is at most that of the gateway. */
  private async before(sources: ReadonlySet<string>, count: number): Promise<OlderPage> {
    for (let empty = 0; ; empty++) {
      const offset = Math.max(this.offset, count)
      const params = { sessionKey: this.sessionKey, limit: PAGE, offset, maxChars: MAX_CHARS }
      const answer = await this.link.request("chat.history", params)
      const page = decodeHistory(answer)
      const next = numberOf(fieldsOf(answer).nextOffset)
      this.offset = next !== null && next > offset ? next : offset + page.messageCount
      const hasMore = page.hasMore === true && page.messageCount > 0
      const entries = page.entries.filter(({ source }) => !sources.has(source))
      if (entries.length > 0 || !hasMore || empty >= MAX_EMPTY) return { entries, hasMore }
    }
  }

  /** Older gateways give the end of a session; for more than a thousand messages only as they are stored. */
  private async all(sources: ReadonlySet<string>, count: number): Promise<OlderPage> {
    const limit = Math.max(PAGE, count * 2, this.offset * 2)
    this.offset = limit
    const { sessionKey } = this
    const answer =
      limit <= HISTORY_LIMIT
        ? await this.link.request("chat.history", { sessionKey, limit })
        : withoutEnvelopes(await this.link.request("sessions.get", { key: sessionKey, limit }))
    const page = decodeHistory(answer)
    const end = page.entries.findIndex(({ source }) => sources.has(source))
    return { entries: page.entries.slice(0, Math.max(end, 0)), hasMore: page.messageCount >= limit }
  }
}

/** Puts an older page before the messages on screen; a tool call and its result that met at the border become one. */
export function prepend(page: ReadonlyArray<HistoryEntry>, shown: ReadonlyArray<Entry>): ReadonlyArray<Entry> {
  const lone = new Map(
    shown.flatMap((entry) =>
      entry.item.kind === "tool" && entry.item.args === null ? [[entry.item.callId, entry]] : []
    )
  )
  const taken = new Set<Entry>()
  const older = page.map(({ item, source, runId }): Entry => {
    const result = item.kind === "tool" ? lone.get(item.callId) : undefined
    if (item.kind !== "tool" || result?.item.kind !== "tool") return { item, source, runId }
    taken.add(result)
    return { item: { ...item, output: result.item.output, status: result.item.status }, source, runId }
  })
  return [...older, ...shown.filter((entry) => !taken.has(entry))]
}

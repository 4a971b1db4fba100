import type { HistoryEntry } from "../history/chatHistory.ts"
import { publish } from "./activity.ts"
import { type Conversation, type OlderPage, todo } from "./Conversation.ts"
import type { Entry, Timeline } from "./timeline.ts"

/** The id of the message behind an item. */
export const messageOf = (source: string): string => source.replace(/\.\w+~*$|~+$/, "")

const firstOf = ({ timeline }: Conversation): string | null => timeline[0]?.source ?? null

/** Requests what comes before the messages on screen. */
export function loadOlder(state: Conversation): Conversation {
  if (!state.hasOlder || state.loadingOlder) return state
  const { sessionKey, link, timeline, olderOffset: offset } = state
  const sources = new Set(timeline.flatMap(({ source }) => source ?? []))
  // Only part of the oldest message may be there.
  const count = Math.max(0, new Set([...sources].map(messageOf)).size - 1)
  const plan = { sessionKey, protocol: link?.protocol ?? 0, sources, count, offset }
  return todo(publish({ ...state, loadingOlder: true }), { type: "readOlder", plan, first: firstOf(state) })
}

/** Applies an older page, unless what it was requested for is gone in the meantime. */
export function olderRead(state: Conversation, page: OlderPage | null, first: string | null): Conversation {
  const next = { ...state, loadingOlder: false }
  if (page === null || firstOf(state) !== first) return publish(next)
  const { entries, hasMore, offset } = page
  return publish({ ...next, timeline: prepended(entries, state.timeline), hasOlder: hasMore, olderOffset: offset })
}

/** Puts an older page before the messages on screen; a tool call and its result that meet at the border become one. */
function prepended(page: ReadonlyArray<HistoryEntry>, shown: Timeline): Timeline {
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

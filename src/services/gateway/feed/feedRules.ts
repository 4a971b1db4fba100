import type { FeedMessage } from "./feedMessage.ts"

/** Up to where a session was read. */
export interface SessionCursor {
  /** Its last message that every follower is done with. */
  readonly lastId: string
  /** When that was said, by the gateway's clock. */
  readonly at: number
  /** The cursor from which the gateway can list later messages, if it has one. */
  readonly deltaCursor: string | undefined
}

/** Up to where the gateway was read, by its clock, in epoch milliseconds. */
export interface FeedMarks {
  /** Nothing older is ever read: this was when the feed began. */
  readonly since: number
  /** Sessions that didn't change after this have nothing new. */
  readonly sessions: number
  /** Runs of jobs that ended before this are known. */
  readonly crons: number
}

/** A row's time is noted by another part of the gateway than a message's: a little earlier counts as later. */
const SLACK_MS = 15_000
/** A message has the time at which its model began, which may be long before it's stored. */
const LONGEST_RESPONSE_MS = 60 * 60 * 1000
/** A session that was idle for so long is read from the general mark on. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000

/** Which sessions may have something new. */
export const mayHaveNews = (updatedAt: number, marks: FeedMarks): boolean => updatedAt > marks.sessions - SLACK_MS

/** Whether a session's own cursor still says more than the general mark. */
export const isKept = (cursor: SessionCursor, marks: FeedMarks): boolean => cursor.at > marks.sessions - KEPT_MS

/** Messages of a session, oldest first: its last ones, or with `isNews` all since its `deltaCursor`. */
interface Found {
  readonly messages: ReadonlyArray<FeedMessage>
  readonly isNews: boolean
}

/** Those that weren't read; `hasGap` if there may be more before them. */
export const unread = (
  { messages, isNews }: Found,
  cursor: SessionCursor | undefined,
  marks: FeedMarks
): { readonly messages: ReadonlyArray<FeedMessage>; readonly hasGap: boolean } => {
  const last = cursor === undefined ? -1 : messages.findLastIndex(({ id }) => id === cursor.lastId)
  if (last !== -1) return { messages: messages.slice(last + 1), hasGap: false }
  if (isNews) return { messages, hasGap: false }
  const from = cursor?.at ?? Math.max(marks.since, marks.sessions - LONGEST_RESPONSE_MS)
  const later = messages.filter(({ at }) => at > from)
  return { messages: later, hasGap: later.length === messages.length }
}

/** Ids seen lately, so that nothing is emitted twice; the oldest are forgotten first. */
export const makeSeen = (limit: number) => {
  const ids = new Set<string>()
  return {
    /** Whether it's seen for the first time. */
    isFirst: (id: string): boolean => {
      if (ids.has(id)) return false
      ids.add(id)
      const [oldest] = ids
      if (ids.size > limit && oldest !== undefined) ids.delete(oldest)
      return true
    }
  }
}

import { Effect, Queue } from "effect"
import type { ListedSession } from "../gateway/sessions/listedSession.ts"
import type { SessionMarksShape } from "../gateway/sessions/SessionMarks.ts"
import { endOf } from "./sessionRow.ts"

/** Sessions of which it's remembered that they were seen, until who keeps that says so. */
const MAX_SEEN = 2_000

const remember = <A>(known: Map<string, A>, key: string, value: A) => {
  known.delete(key)
  known.set(key, value)
  const [oldest] = known.keys()
  if (known.size > MAX_SEEN && oldest !== undefined) known.delete(oldest)
}

/** What was seen, and nobody else knows yet. */
export interface SeenSessions {
  /** Up to when a session was seen here, in the gateway's time. */
  readonly at: (key: string) => number
  /** Someone sees how a session's last turn ended: every device learns it, unless they know. True if it's news here. */
  readonly see: (key: string, row: ListedSession, sharedSeenAt: number) => boolean
}

/** Reports each end that is seen once; newer gateways keep it in their rows, and for the others the console does. */
export const makeSeenSessions = Effect.fnUntraced(function* (marks: SessionMarksShape) {
  const seen = new Map<string, number>()
  const reported = new Map<string, string>()
  const due = yield* Queue.unbounded<{ readonly sessionKey: string; readonly seenAt: number }>()
  yield* Queue.take(due).pipe(
    Effect.flatMap((change) =>
      Effect.catch(marks.change(change), () => Effect.sync(() => reported.delete(change.sessionKey)))
    ),
    Effect.forever,
    Effect.forkScoped
  )
  const all: SeenSessions = {
    at: (key) => seen.get(key) ?? 0,
    see: (key, row, sharedSeenAt) => {
      const seenAt = endOf(row)
      if (seenAt === undefined) return false
      const isNews = seenAt > (seen.get(key) ?? 0)
      if (isNews) remember(seen, key, seenAt)
      const isKnown =
        typeof row.unread === "boolean" ? !row.unread || row.hasActiveRun === true : seenAt <= sharedSeenAt
      const news = `${seenAt} ${row.lastInteractionAt} ${row.sessionId}`
      if (isKnown || reported.get(key) === news) return isNews
      remember(reported, key, news)
      Queue.offerUnsafe(due, { sessionKey: key, seenAt })
      return isNews
    }
  }
  return all
})

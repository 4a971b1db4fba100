import { Effect, type Scope } from "effect"
import type { GatewayClientShape } from "../client/GatewayClient.ts"
import type { GatewayError } from "../client/GatewayError.ts"
import { readFeedEvent } from "../feed/FeedEvent.ts"
import type { ListedSessions } from "../sessions/ListedSessions.ts"
import { type JudgedRun, makeListedRuns } from "./listedRuns.ts"
import { RunningSessions } from "./RunningSessions.ts"

/** What runs in a gateway's sessions: the only answer to that question. */
export interface SessionActivity {
  /** Whether a response is running in a session. */
  readonly isBusy: (sessionKey: string) => boolean
  readonly isRunning: (runId: string) => boolean
  /** The session of a run, also of one that ended lately. */
  readonly sessionOf: (runId: string) => string | undefined
  /** The sessions in which one is running. */
  readonly busySessions: () => ReadonlyArray<string>
  /** The console has begun a run, which the gateway may report later than its end. */
  readonly began: (sessionKey: string, runId: string) => void
  /** A run of the console's is over, or never began. */
  readonly ended: (sessionKey: string, runId: string) => void
  /** The gateway says that nothing runs in a session. */
  readonly cleared: (sessionKey: string) => void
  /** Asks the gateway about these sessions: what was missed, what runs without an event, and what was lost. */
  readonly ask: (sessionKeys: ReadonlySet<string>) => Effect.Effect<void, GatewayError>
  /** Learns the same from the list that the gateway gave on this connection. */
  readonly catchUp: (sessionKeys: ReadonlySet<string>) => Effect.Effect<void, GatewayError>
  /** Whether the gateway says that one is running in a session, whatever was heard. */
  readonly isListed: (sessionKey: string) => Effect.Effect<boolean, GatewayError>
  /** The same, and whether the gateway's own shutdown cut off its last turn; `undefined` for a session it doesn't list. */
  readonly listed: (sessionKey: string) => Effect.Effect<JudgedRun | undefined, GatewayError>
}

/** The events that say something about runs. */
const ABOUT_RUNS = new Set(["agent", "chat"])

/** Follows what runs in a gateway's sessions, from the moment at which its events arrive. */
export const makeSessionActivity = Effect.fnUntraced(function* (
  gateway: GatewayClientShape,
  sessions: Pick<ListedSessions, "read">
): Effect.fn.Return<SessionActivity, never, Scope.Scope> {
  const running = new RunningSessions()
  const listed = makeListedRuns(gateway)
  /** When the connection was new, or its events had a gap. */
  let doubtedAt = running.now
  const doubt = () => {
    doubtedAt = running.now
  }

  yield* gateway.tap({
    linked: doubt,
    gap: doubt,
    frame: (frame) => {
      if (!ABOUT_RUNS.has(frame.event)) return
      const event = readFeedEvent(frame)
      if (event?._tag === "ResponseBegan") running.begin(event.sessionKey, event.runId)
      if (event?._tag === "ResponseEnded") running.end(event.end.runId, event.end.sessionKey)
    }
  })

  return {
    isBusy: (sessionKey) => running.isBusy(sessionKey),
    isRunning: (runId) => running.isRunning(runId),
    sessionOf: (runId) => running.sessionOf(runId),
    busySessions: () => running.sessions,
    began: (sessionKey, runId) => running.begin(sessionKey, runId),
    ended: (sessionKey, runId) => {
      running.end(runId, sessionKey)
    },
    cleared: (sessionKey) => running.clear(sessionKey),
    ask: Effect.fnUntraced(function* (sessionKeys) {
      const askedAt = running.now
      running.update(yield* listed(sessionKeys), sessionKeys, askedAt)
    }),
    catchUp: Effect.fnUntraced(function* (sessionKeys) {
      running.update(yield* listed(sessionKeys, yield* sessions.read), sessionKeys, doubtedAt)
    }),
    listed: (sessionKey) => Effect.map(listed(new Set([sessionKey])), ([row]) => row),
    isListed: (sessionKey) =>
      Effect.map(listed(new Set([sessionKey])), (rows) => rows.some(({ isRunning }) => isRunning))
  }
})

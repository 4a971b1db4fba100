import { fieldsOf, filledText } from "../../../../src/contract/looseFields.ts"
import { say } from "../language/say.ts"
import type { GatewayLink } from "../link/linkTypes.ts"
import type { SessionRow, SessionsStore } from "../sessions/sessionTypes.ts"

/** Something in a session that someone may want to know about. */
export interface Attention {
  readonly kind: "finished" | "failed" | "asks"
  readonly sessionKey: string
  readonly title: string
  /** The end of the last message, if known. */
  readonly preview: string | null
  /** When this tab noticed it, in epoch milliseconds; all tabs notice at nearly the same time. */
  readonly at: number
}

/** Milliseconds a change waits for the news that someone stopped the run, which may arrive later. */
const SETTLE_MS = 600

const kindOf = (before: SessionRow["state"] | undefined, row: SessionRow): Attention["kind"] | null => {
  if (before === undefined || row.kind === "subagent") return null
  if (row.state === "waiting") return before === "waiting" ? null : "asks"
  if (before !== "working" || row.state === "working") return null
  return row.failed ? "failed" : "finished"
}

/**
 * Reports when an agent finishes, fails or asks something, in any session. Runs that someone stopped, and helpers of
 * another session, aren't news. Stops when the returned function is called.
 */
export const watchAttention = (
  sessions: Pick<SessionsStore, "state">,
  link: Pick<GatewayLink, "onEvent">,
  listener: (attention: Attention) => void
): (() => void) => {
  let states = new Map(sessions.state.get().rows.map((row) => [row.key, row.state]))
  const stopped = new Set<string>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()

  const settle = (key: string, attention: Attention) => {
    clearTimeout(timers.get(key))
    const timer = setTimeout(() => {
      timers.delete(key)
      const now = sessions.state.get().rows.find((row) => row.key === key)
      if (stopped.delete(key) || now === undefined) return
      // It continued in the meantime: another message was waiting.
      if (attention.kind !== "asks" && now.state === "working") return
      // A run that never ended turned out to be stopped or lost.
      if (attention.kind === "finished" && now.endedAt === null) return
      listener({ ...attention, title: now.title, preview: now.preview })
    }, SETTLE_MS)
    timers.set(key, timer)
  }

  const stopSessions = sessions.state.subscribe(({ rows, status }) => {
    if (status !== "ready") return
    for (const row of rows) {
      if (row.state === "working" && states.get(row.key) !== "working") stopped.delete(row.key)
      const kind = kindOf(states.get(row.key), row)
      if (kind === null) continue
      settle(row.key, { kind, sessionKey: row.key, title: row.title, preview: row.preview, at: Date.now() })
    }
    states = new Map(rows.map((row) => [row.key, row.state]))
  })
  const stopEvents = link.onEvent(({ event, payload }) => {
    const { state, sessionKey } = fieldsOf(payload)
    const key = filledText(sessionKey)
    if (event === "chat" && state === "aborted" && key !== null) stopped.add(key)
  })

  return () => {
    stopSessions()
    stopEvents()
    for (const timer of timers.values()) clearTimeout(timer)
  }
}

/** Whether news about a session deserves a notification: nobody is looking, or they are looking at something else. */
export const isNews = (
  sessionKey: string,
  now: { readonly isVisible: boolean; readonly openSession: string | null }
): boolean => !now.isVisible || now.openSession !== sessionKey

/** The text of a notification: who, and what happened. */
export const attentionText = ({ kind, preview }: Attention): string => {
  if (kind === "asks") return say("Waiting for your answer.")
  if (kind === "failed") return say("Failed.")
  return preview ?? say("Finished.")
}

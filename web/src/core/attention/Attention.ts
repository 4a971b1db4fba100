import type { SessionRow, SessionsStore } from "../chatTypes.ts"
import { fieldsOf, filledText } from "../decode.ts"
import type { GatewayLink } from "../types.ts"

/** Something of a session that somebody may want to hear of. */
export interface Attention {
  readonly kind: "finished" | "failed" | "asks"
  readonly sessionKey: string
  readonly title: string
  /** The end of the last message, where it is known. */
  readonly preview: string | null
  /** When this tab heard of it, in epoch milliseconds; all tabs hear of it at nearly the same time. */
  readonly at: number
}

/** Milliseconds a change waits for the word that somebody stopped the run, which may come after it. */
const SETTLE_MS = 600

const kindOf = (before: SessionRow["state"] | undefined, row: SessionRow): Attention["kind"] | null => {
  if (before === undefined || row.kind === "subagent") return null
  if (row.state === "waiting") return before === "waiting" ? null : "asks"
  if (before !== "working" || row.state === "working") return null
  return row.state === "error" ? "failed" : "finished"
}

/**
 * Tells when an agent finished, failed or asks, in whichever session. Runs that somebody stopped and helpers of another
 * session are no news. Ends when the returned function is called.
 */
export const watchAttention = (
  sessions: Pick<SessionsStore, "state">,
  link: Pick<GatewayLink, "onEvent">,
  tell: (attention: Attention) => void
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
      // It went on meanwhile: another message was waiting.
      if (attention.kind !== "asks" && now.state === "working") return
      tell({ ...attention, title: now.title, preview: now.preview })
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

/** Whether news of a session deserves a notification: nobody looks, or looks at something else. */
export const isNews = (
  sessionKey: string,
  now: { readonly isVisible: boolean; readonly openSession: string | null }
): boolean => !now.isVisible || now.openSession !== sessionKey

/** What a notification says: who, and what happened. */
export const attentionText = ({ kind, preview }: Attention): string => {
  if (kind === "asks") return "Waits for your answer."
  if (kind === "failed") return "Ended with an error."
  return preview ?? "Has an answer for you."
}

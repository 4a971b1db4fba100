import { taskOfSession } from "../board/runs/runPrompt.ts"

/** What a session was for: `task:<id>`, `cron:<id>`, or nothing for a conversation. */
export const workOf = (sessionKey: string): string | undefined => {
  const task = taskOfSession(sessionKey)
  const cron = /^agent:[^:]+:cron:([^:]+)(?::.*)?$/.exec(sessionKey)?.[1]
  if (task !== undefined) return `task:${task}`
  return cron === undefined ? undefined : `cron:${cron}`
}

/** A session's id, as its usage is stored under, and what it was for. */
export interface SessionWork {
  readonly session: string
  readonly work: string
}

/** Those of the gateway's sessions that weren't conversations. */
export const sessionWork = (
  sessions: ReadonlyArray<{ readonly key: string; readonly sessionId?: string | undefined }>
): ReadonlyArray<SessionWork> =>
  sessions.flatMap(({ key, sessionId = key }) => {
    const work = workOf(key)
    return work === undefined ? [] : [{ session: sessionId, work }]
  })

import type { ListedSession, SessionEvent } from "../gateway/sessions/listedSession.ts"

/** A row after a `sessions.changed` event; undefined if the session is gone. */
export const changedSession = (
  before: ListedSession | undefined,
  { facts, key, phase, reason }: SessionEvent
): ListedSession | undefined => {
  if (reason === "delete") return undefined
  const merged: ListedSession = { ...before, ...facts, key }
  // An event about a message may carry the row as it was before the run started: only a newer row may end a run.
  const isOlder = phase === "message" && (facts.updatedAt ?? Number.MAX_VALUE) < (before?.updatedAt ?? 0)
  const known = isOlder && before !== undefined ? { ...merged, ...aboutRuns(before) } : merged
  return phase === "start" ? { ...known, status: "running" } : known
}

/** How a run stands, by a row. */
const aboutRuns = (row: ListedSession): Partial<ListedSession> => {
  const { endedAt = null, hasActiveRun = null, startedAt = null, status = null, updatedAt = null } = row
  return { endedAt, hasActiveRun, startedAt, status, updatedAt }
}

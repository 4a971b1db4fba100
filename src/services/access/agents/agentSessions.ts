/** More than an agent needs at a time; some agents open a session with every turn and close none. */
const MOST_OF_ONE = 20
const IDLE_MS = 3_600_000

interface Session {
  readonly id: string
  /** The token that opened it. */
  readonly owner: string
  usedAt: number
  /** How many of its calls are running. */
  calls: number
  /** Whether it ends when the last of them completes. */
  isEnding: boolean
}

/** The open sessions of agents; sessions to close are returned to the caller. Times are epoch milliseconds. */
export interface AgentSessions {
  /** Adds a session and closes the owner's least recently used one if there are too many. */
  readonly opened: (owner: string, id: string, now: number) => ReadonlyArray<string>
  /** Begins a call; false if this owner has no such session. */
  readonly begin: (owner: string, id: string, now: number) => boolean
  /** A call has been answered. */
  readonly done: (id: string, now: number) => ReadonlyArray<string>
  /** The session has been ended by its owner. */
  readonly closed: (id: string) => void
  /** Ends the owner's sessions; one with a running call ends after that call. */
  readonly endAll: (owner: string) => ReadonlyArray<string>
  /** Ends the sessions that haven't been used for an hour. */
  readonly endIdle: (now: number) => ReadonlyArray<string>
  /** The owners of sessions. */
  readonly owners: () => ReadonlySet<string>
}

export const makeAgentSessions = (): AgentSessions => {
  const sessions = new Map<string, Session>()

  const isIdle = ({ calls, usedAt }: Session, now: number) => calls === 0 && now - usedAt >= IDLE_MS

  const of = (owner: string) => [...sessions.values()].filter((session) => session.owner === owner)

  const end = (ended: ReadonlyArray<Session>): ReadonlyArray<string> =>
    ended.map(({ id }) => {
      sessions.delete(id)
      return id
    })

  /** Least recently used first. A session with a running call is in use, however long ago the call began. */
  const byUse = (a: Session, b: Session) => Number(a.calls > 0) - Number(b.calls > 0) || a.usedAt - b.usedAt

  return {
    opened: (owner, id, now) => {
      const others = of(owner).toSorted(byUse)
      sessions.set(id, { id, owner, usedAt: now, calls: 0, isEnding: false })
      return end(others.slice(0, Math.max(0, others.length + 1 - MOST_OF_ONE)))
    },
    begin: (owner, id, now) => {
      const session = sessions.get(id)
      if (session?.owner !== owner || session.isEnding || isIdle(session, now)) return false
      session.calls += 1
      session.usedAt = now
      return true
    },
    done: (id, now) => {
      const session = sessions.get(id)
      if (session === undefined) return []
      session.calls -= 1
      session.usedAt = now
      return session.isEnding && session.calls === 0 ? end([session]) : []
    },
    closed: (id) => {
      sessions.delete(id)
    },
    endAll: (owner) => {
      const all = of(owner)
      for (const session of all) session.isEnding = true
      return end(all.filter(({ calls }) => calls === 0))
    },
    endIdle: (now) => end([...sessions.values()].filter((session) => isIdle(session, now))),
    owners: () => new Set([...sessions.values()].map(({ owner }) => owner))
  }
}

/** Whether a response runs in a session, as the gateway lists it. */
export interface ListedRun {
  readonly key: string
  readonly isRunning: boolean
}

/** Runs that ended lately and whose sessions are still known. */
const MAX_ENDED = 200

/** The sessions with a running response: from the gateway's events, and from its list for earlier ones. */
export class RunningSessions {
  /** The runs of each session, with the moment of their first event. */
  private readonly runs = new Map<string, Map<string, number>>()
  /** Sessions that run according to the list, without an event about their runs. */
  private listed = new Set<string>()
  private readonly ended = new Map<string, string>()
  /** When a run of each session ended last; only what is newer than the list counts. */
  private readonly endings = new Map<string, number>()
  private moment = 0

  begin(sessionKey: string, runId: string): void {
    this.moment += 1
    const runs = this.runs.get(sessionKey) ?? new Map<string, number>()
    this.runs.set(sessionKey, runs.set(runId, this.moment))
  }

  /** Removes a run that ended; returns its session, if that is known. */
  end(runId: string, knownKey?: string): string | undefined {
    const sessionKey = knownKey ?? this.sessionOf(runId)
    if (sessionKey === undefined) return undefined
    this.moment += 1
    this.endings.set(sessionKey, this.moment)
    this.remember(runId, sessionKey)
    const runs = this.runs.get(sessionKey)
    runs?.delete(runId)
    if (runs?.size === 0) this.runs.delete(sessionKey)
    this.listed.delete(sessionKey)
    return sessionKey
  }

  /** The session of a run, also of one that ended lately. */
  sessionOf(runId: string): string | undefined {
    return [...this.runs].find(([, runs]) => runs.has(runId))?.[0] ?? this.ended.get(runId)
  }

  private remember(runId: string, sessionKey: string): void {
    this.ended.set(runId, sessionKey)
    const [oldest] = this.ended.keys()
    if (this.ended.size > MAX_ENDED && oldest !== undefined) this.ended.delete(oldest)
  }

  isBusy(sessionKey: string): boolean {
    return this.runs.has(sessionKey) || this.listed.has(sessionKey)
  }

  isRunning(runId: string): boolean {
    return [...this.runs.values()].some((runs) => runs.has(runId))
  }

  /** The sessions that count as running. */
  get sessions(): ReadonlyArray<string> {
    return [...this.runs.keys(), ...this.listed]
  }

  /** How it stands now, for `update` with a list that is requested later. */
  get now(): number {
    return this.moment
  }

  /**
   * Applies the gateway's list to the requested sessions, except for what an event has said since `askedAt`.
   */
  update(sessions: ReadonlyArray<ListedRun>, asked: ReadonlySet<string>, askedAt: number): void {
    const hasEnded = (key: string) => (this.endings.get(key) ?? 0) > askedAt
    const running = new Set(sessions.flatMap(({ key, isRunning }) => (isRunning && !hasEnded(key) ? [key] : [])))
    for (const [key, at] of this.endings) if (at <= askedAt) this.endings.delete(key)
    for (const [key, runs] of this.runs) {
      if (running.has(key) || !asked.has(key)) continue
      for (const [runId, seenAt] of runs) if (seenAt <= askedAt) runs.delete(runId)
      if (runs.size === 0) this.runs.delete(key)
    }
    const others = [...this.listed].filter((key) => !asked.has(key))
    this.listed = new Set([...others, ...running].filter((key) => !this.runs.has(key)))
  }

  /** Removes everything known of a session, in which nothing runs. */
  clear(sessionKey: string): void {
    this.listed.delete(sessionKey)
    this.runs.delete(sessionKey)
  }
}

/** A session as the gateway lists it. */
export interface ListedSession {
  readonly key: string
  readonly isRunning: boolean
}

/**
 * Which sessions have a response running: by what the gateway tells as it happens, and by its list for what began
 * before.
 */
export class RunningSessions {
  /** The runs of each session, with the moment they were heard of. */
  private readonly runs = new Map<string, Map<string, number>>()
  /** Sessions that the list calls running, while nothing is known of their runs. */
  private listed = new Set<string>()
  private moment = 0

  begin(sessionKey: string, runId: string): void {
    this.moment += 1
    const runs = this.runs.get(sessionKey) ?? new Map<string, number>()
    this.runs.set(sessionKey, runs.set(runId, this.moment))
  }

  /** A run is over; returns its session, if that is known. */
  end(runId: string, told?: string): string | undefined {
    const sessionKey = told ?? [...this.runs].find(([, runs]) => runs.has(runId))?.[0]
    if (sessionKey === undefined) return undefined
    const runs = this.runs.get(sessionKey)
    runs?.delete(runId)
    if (runs?.size === 0) this.runs.delete(sessionKey)
    this.listed.delete(sessionKey)
    return sessionKey
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

  /** Call before the list is asked for, and pass the result along with it. */
  get now(): number {
    return this.moment
  }

  /**
   * What the gateway lists counts for the sessions that it was asked about, for everything that hasn't been heard of
   * since then.
   */
  take(sessions: ReadonlyArray<ListedSession>, asked: ReadonlySet<string>, askedAt: number): void {
    const running = new Set(sessions.flatMap(({ key, isRunning }) => (isRunning ? [key] : [])))
    for (const [key, runs] of this.runs) {
      if (running.has(key) || !asked.has(key)) continue
      for (const [runId, heardAt] of runs) if (heardAt <= askedAt) runs.delete(runId)
      if (runs.size === 0) this.runs.delete(key)
    }
    const others = [...this.listed].filter((key) => !asked.has(key))
    this.listed = new Set([...others, ...running].filter((key) => !this.runs.has(key)))
  }

  /** Nothing runs in a session, whatever was heard of it. */
  clear(sessionKey: string): void {
    this.listed.delete(sessionKey)
    this.runs.delete(sessionKey)
  }
}

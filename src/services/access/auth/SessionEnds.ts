/** A session's name and its expiry in epoch milliseconds. */
interface Watched {
  readonly digest: string
  readonly expiresAt: number
}

/** A session with open connections. */
interface Entry {
  readonly session: Watched
  readonly listeners: Set<() => void>
}

/** The listeners for the end of each session: one record per session, however many connections it has. */
export class SessionEnds {
  private readonly entries = new Map<string, Entry>()

  /** The number of sessions with open connections. */
  get size(): number {
    return this.entries.size
  }

  /** Calls the listener when the session ends, unless the returned function is called before. */
  add(session: Watched, listener: () => void): () => void {
    let entry = this.entries.get(session.digest)
    if (entry === undefined) {
      entry = { session, listeners: new Set() }
      this.entries.set(session.digest, entry)
    }
    const { listeners } = entry
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.entries.get(session.digest)?.listeners === listeners) {
        this.entries.delete(session.digest)
      }
    }
  }

  /** Calls the listeners of all ended sessions. */
  tell(hasEnded: (session: Watched) => boolean): void {
    for (const { listeners, session } of [...this.entries.values()]) {
      if (!hasEnded(session)) continue
      this.entries.delete(session.digest)
      for (const listener of listeners) listener()
    }
  }
}

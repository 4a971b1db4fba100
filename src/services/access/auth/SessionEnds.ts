/** A session's name and when it ends by itself, in epoch milliseconds. */
interface Watched {
  readonly digest: string
  readonly expiresAt: number
}

/** A session that has something open. */
interface Entry {
  readonly session: Watched
  readonly listeners: Set<() => void>
}

/** Who has to hear of the end of which session. One record for each session, however much it has open. */
export class SessionEnds {
  private readonly entries = new Map<string, Entry>()

  /** How many sessions have something open. */
  get size(): number {
    return this.entries.size
  }

  /** Calls the listener once the session has ended, unless the returned function is called before. */
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

  /** Tells everybody whose session has ended. */
  tell(hasEnded: (session: Watched) => boolean): void {
    for (const { listeners, session } of [...this.entries.values()]) {
      if (!hasEnded(session)) continue
      this.entries.delete(session.digest)
      for (const listener of listeners) listener()
    }
  }
}

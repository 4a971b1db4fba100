import type { SessionListing } from "../gateway/sessions/ListedSessions.ts"
import type { ListedSession, SessionEvent } from "../gateway/sessions/listedSession.ts"
import { changedSession } from "./changedSession.ts"

/** A gateway's sessions: those that it listed, kept current by its events. */
export class KeptRows {
  private rows = new Map<string, ListedSession>()
  /** Sessions of which an event has said something since the list was asked for: that is newer than the list. */
  private readonly heard = new Set<string>()
  /** The gateway has more than it listed; the same of the list of archived ones. */
  hasMore = false
  hasMoreArchived = false

  get(key: string): ListedSession | undefined {
    return this.rows.get(key)
  }

  get all(): ReadonlyMap<string, ListedSession> {
    return this.rows
  }

  /** A list is asked for now. */
  beginReading(): void {
    this.heard.clear()
  }

  /** Replaces the rows by a list. What lies beyond its end stays, and what a list of its own has. */
  take({ hasMore, rows }: SessionListing): void {
    const end = rows.at(-1)?.updatedAt ?? 0
    const listed = new Map(rows.map((row) => [row.key, row]))
    const isBeyond = (row: ListedSession) => row.archived === true || (hasMore && (row.updatedAt ?? 0) <= end)
    const others = [...this.rows].filter(([key, row]) => !listed.has(key) && (this.heard.has(key) || isBeyond(row)))
    this.rows = new Map([...this.merged(listed), ...others])
    this.hasMore = hasMore
  }

  /** The same for the archived ones. */
  takeArchived({ hasMore, rows }: SessionListing): void {
    const listed = new Map(rows.map((row) => [row.key, row]))
    const others = [...this.rows].filter(
      ([key, row]) => !listed.has(key) && (row.archived !== true || hasMore || this.heard.has(key))
    )
    this.rows = new Map([...others, ...this.merged(listed)])
    this.hasMoreArchived = hasMore
  }

  /** What was read of one session; undefined if it's gone. */
  put(key: string, row: ListedSession | undefined): void {
    if (row === undefined) this.rows.delete(key)
    else this.rows.set(key, row)
  }

  /** Applies an event. */
  change(event: SessionEvent): void {
    this.heard.add(event.key)
    this.put(event.key, changedSession(this.rows.get(event.key), event))
  }

  /** Changes a session that is there. */
  update(key: string, fields: Partial<ListedSession>): void {
    const row = this.rows.get(key)
    if (row === undefined) return
    this.heard.add(key)
    this.rows.set(key, { ...row, ...fields })
  }

  private merged(listed: ReadonlyMap<string, ListedSession>): Map<string, ListedSession> {
    const merged = new Map(listed)
    for (const key of this.heard) {
      const newer = this.rows.get(key)
      const row = listed.get(key)
      if (newer === undefined) merged.delete(key)
      else if (row !== undefined) merged.set(key, { ...row, ...newer })
    }
    return merged
  }
}

import type { MarkChange, SessionMark } from "../../../contract/schema/session.ts"
import { isInteger, isText, orNull, readRows } from "../../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../../platform/sqlite/Sqlite.ts"

/** A session nobody has marked. */
export const unmarked = (sessionKey: string): SessionMark => ({
  sessionKey,
  pinned: false,
  archivedAt: null,
  group: null,
  seenAt: 0
})

/** The mark after a change: who archives a session unpins it, who pins it brings it back, and what was read stays read. */
export const changedMark = (mark: SessionMark, change: MarkChange): SessionMark => {
  const archivedAt =
    change.archivedAt ?? (change.archivedAt === null || change.pinned === true ? null : mark.archivedAt)
  return {
    sessionKey: mark.sessionKey,
    pinned: archivedAt === null && (change.pinned ?? mark.pinned),
    archivedAt,
    group: change.group === undefined ? mark.group : (change.group?.trim() ?? null),
    seenAt: Math.max(mark.seenAt, change.seenAt ?? 0)
  }
}

/** The mark without what the gateway keeps from now on. */
export const handedOver = (mark: SessionMark, change: MarkChange): SessionMark => ({
  sessionKey: mark.sessionKey,
  pinned: change.pinned === undefined && change.archivedAt == null && mark.pinned,
  archivedAt: change.archivedAt === undefined && change.pinned !== true ? mark.archivedAt : null,
  group: change.group === undefined ? mark.group : null,
  seenAt: mark.seenAt
})

/** Whether nothing is left of a mark. */
export const isUnmarked = ({ archivedAt, group, pinned, seenAt }: SessionMark): boolean =>
  !pinned && archivedAt === null && group === null && seenAt === 0

/** Sessions of a gateway of which it's kept that they were read, the ones read last. */
const MAX_SEEN = 2_000

/**
 * What the console keeps of sessions whose gateway has no place for it. Not a schema number of its own: a version that
 * an update goes back to doesn't need the tables, and would refuse a file with a newer number.
 */
export const sessionMarkAdditions = `
  CREATE TABLE IF NOT EXISTS session_marks (
    gateway_id TEXT NOT NULL,
    session_key TEXT NOT NULL,
    pinned INTEGER NOT NULL,
    archived_at INTEGER,
    group_name TEXT,
    seen_at INTEGER NOT NULL,
    PRIMARY KEY (gateway_id, session_key)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS session_seen_since (
    gateway_id TEXT PRIMARY KEY,
    at INTEGER NOT NULL
  ) STRICT;
`

/** A mark with the gateway it belongs to; its key is the gateway's own. */
interface StoredMark extends SessionMark {
  readonly gatewayId: string
}

const COLUMNS = "gateway_id, session_key, pinned, archived_at, group_name, seen_at"

const marksIn = (rows: ReadonlyArray<unknown>): ReadonlyArray<StoredMark> =>
  readRows([isText, isText, isInteger, orNull(isInteger), orNull(isText), isInteger], rows).map(
    ([gatewayId, sessionKey, pinned, archivedAt, group, seenAt]) => ({
      gatewayId,
      sessionKey,
      pinned: pinned === 1,
      archivedAt,
      group,
      seenAt
    })
  )

export const allMarks = (db: SqlConnection): ReadonlyArray<StoredMark> =>
  marksIn(db.rows(`SELECT ${COLUMNS} FROM session_marks`))

export const findMark = (db: SqlConnection, gatewayId: string, sessionKey: string): SessionMark => {
  const [mark] = marksIn(
    db.rows(`SELECT ${COLUMNS} FROM session_marks WHERE gateway_id = ? AND session_key = ?`, gatewayId, sessionKey)
  )
  return mark ?? unmarked(sessionKey)
}

export const removeMark = (db: SqlConnection, gatewayId: string, sessionKey: string): void => {
  db.run("DELETE FROM session_marks WHERE gateway_id = ? AND session_key = ?", gatewayId, sessionKey)
}

/** Keeps a mark, and forgets the sessions read longest ago for which there's no room. */
export const saveMark = (db: SqlConnection, gatewayId: string, mark: SessionMark): void => {
  const { archivedAt, group, pinned, seenAt, sessionKey } = mark
  if (isUnmarked(mark)) {
    removeMark(db, gatewayId, sessionKey)
    return
  }
  db.run(
    "INSERT OR REPLACE INTO session_marks VALUES (?, ?, ?, ?, ?, ?)",
    gatewayId,
    sessionKey,
    pinned ? 1 : 0,
    archivedAt,
    group,
    seenAt
  )
  db.run(
    `DELETE FROM session_marks WHERE rowid IN (
      SELECT rowid FROM session_marks
      WHERE gateway_id = ? AND pinned = 0 AND archived_at IS NULL AND group_name IS NULL
      ORDER BY seen_at DESC LIMIT -1 OFFSET ?
    )`,
    gatewayId,
    MAX_SEEN
  )
}

/** From when on each gateway's responses are news. */
export const allSeenSince = (db: SqlConnection): ReadonlyMap<string, number> =>
  new Map(readRows([isText, isInteger], db.rows("SELECT gateway_id, at FROM session_seen_since")))

export const beginSeen = (db: SqlConnection, gatewayId: string, at: number): void => {
  db.run("INSERT OR IGNORE INTO session_seen_since VALUES (?, ?)", gatewayId, at)
}

/** One that gets the id of a removed gateway may be another one. */
export const forgetMarks = (db: SqlConnection, gatewayId: string): void => {
  db.run("DELETE FROM session_marks WHERE gateway_id = ?", gatewayId)
  db.run("DELETE FROM session_seen_since WHERE gateway_id = ?", gatewayId)
}

import { isFinite, isText, orNull, readRows } from "../../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../../platform/sqlite/Sqlite.ts"
import type { FeedMarks, SessionCursor } from "./feedRules.ts"

/**
 * Up to where each gateway was read. Not a schema number of its own: a version that an update goes back to doesn't
 * need the tables, and would refuse a file with a newer number.
 */
export const feedAdditions = `
  CREATE TABLE IF NOT EXISTS feed_marks (
    gateway_id TEXT PRIMARY KEY,
    since REAL NOT NULL,
    sessions REAL NOT NULL,
    crons REAL NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS feed_sessions (
    gateway_id TEXT NOT NULL,
    session_key TEXT NOT NULL,
    last_id TEXT NOT NULL,
    at REAL NOT NULL,
    delta_cursor TEXT,
    PRIMARY KEY (gateway_id, session_key)
  ) STRICT, WITHOUT ROWID;
`

/** Everything noted about a gateway. */
export interface FeedPosition {
  /** `undefined` before its first connection. */
  readonly marks: FeedMarks | undefined
  readonly sessions: ReadonlyMap<string, SessionCursor>
}

export const loadPosition = (db: SqlConnection, gatewayId: string): FeedPosition => {
  const [marks] = readRows(
    [isFinite, isFinite, isFinite],
    db.rows("SELECT since, sessions, crons FROM feed_marks WHERE gateway_id = ?", gatewayId)
  )
  const sessions = readRows(
    [isText, isText, isFinite, orNull(isText)],
    db.rows("SELECT session_key, last_id, at, delta_cursor FROM feed_sessions WHERE gateway_id = ?", gatewayId)
  )
  return {
    marks: marks && { since: marks[0], sessions: marks[1], crons: marks[2] },
    sessions: new Map(
      sessions.map(([key, lastId, at, deltaCursor]) => [key, { lastId, at, deltaCursor: deltaCursor ?? undefined }])
    )
  }
}

export const saveMarks = (db: SqlConnection, gatewayId: string, { since, sessions, crons }: FeedMarks): void => {
  db.run("INSERT OR REPLACE INTO feed_marks VALUES (?, ?, ?, ?)", gatewayId, since, sessions, crons)
}

/** Notes a session's position; `undefined` forgets it. */
export const saveSession = (
  db: SqlConnection,
  gatewayId: string,
  key: string,
  cursor: SessionCursor | undefined
): void => {
  if (cursor === undefined) {
    db.run("DELETE FROM feed_sessions WHERE gateway_id = ? AND session_key = ?", gatewayId, key)
    return
  }
  const { at, deltaCursor, lastId } = cursor
  db.run("INSERT OR REPLACE INTO feed_sessions VALUES (?, ?, ?, ?, ?)", gatewayId, key, lastId, at, deltaCursor ?? null)
}

/** Forgets everything noted about a gateway. */
export const forgetGateway = (db: SqlConnection, gatewayId: string): void => {
  db.run("DELETE FROM feed_marks WHERE gateway_id = ?", gatewayId)
  db.run("DELETE FROM feed_sessions WHERE gateway_id = ?", gatewayId)
}

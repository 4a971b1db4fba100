import { isText, readRows } from "../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../platform/sqlite/Sqlite.ts"

/** Titles that are kept, the ones found last. */
const MAX_TITLES = 500

/**
 * The first words of sessions that their gateways give no title. The schema number isn't raised, because the version
 * that a rollback restores doesn't need the table and would refuse a file with a newer number.
 */
export const firstWordsAdditions = `
  CREATE TABLE IF NOT EXISTS session_titles (
    gateway_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    title TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (gateway_id, session_id)
  ) STRICT;
`

export const allTitles = (db: SqlConnection): ReadonlyArray<readonly [gatewayId: string, id: string, title: string]> =>
  readRows([isText, isText, isText], db.rows("SELECT gateway_id, session_id, title FROM session_titles ORDER BY at"))

export const saveTitle = (db: SqlConnection, gatewayId: string, id: string, title: string, at: number): void => {
  db.run("INSERT OR REPLACE INTO session_titles VALUES (?, ?, ?, ?)", gatewayId, id, title, at)
  db.run(
    "DELETE FROM session_titles WHERE rowid IN (SELECT rowid FROM session_titles ORDER BY at DESC LIMIT -1 OFFSET ?)",
    MAX_TITLES
  )
}

export const removeTitle = (db: SqlConnection, gatewayId: string, id: string): void => {
  db.run("DELETE FROM session_titles WHERE gateway_id = ? AND session_id = ?", gatewayId, id)
}

/** One that gets the id of a removed gateway may be another one. */
export const forgetTitles = (db: SqlConnection, gatewayId: string): void => {
  db.run("DELETE FROM session_titles WHERE gateway_id = ?", gatewayId)
}

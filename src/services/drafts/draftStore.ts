import { isInteger, isText, orNull, readRows } from "../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../platform/sqlite/Sqlite.ts"

/** Drafts that are kept, the ones written last. */
export const MAX_DRAFTS = 200
/** Bytes of all drafts that are kept. */
const MAX_DRAFT_BYTES = 20_000_000

/**
 * The draft of each session. A removed or sent draft stays as an empty text, so that a device that reconnects can
 * distinguish it from a session without a draft. The schema number isn't raised, because the version that a rollback
 * restores doesn't need the table and would refuse a file with a newer number.
 */
export const draftAdditions = `
  CREATE TABLE IF NOT EXISTS drafts (
    gateway_id TEXT NOT NULL,
    session_key TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    device_id TEXT,
    device_count INTEGER,
    bytes INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (gateway_id, session_key)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS drafts_updated ON drafts (updated_at, bytes);
`

/** A stored draft. */
export interface StoredDraft {
  readonly gatewayId: string
  readonly sessionKey: string
  /** Empty if it was removed. */
  readonly text: string
  readonly updatedAt: number
  readonly deviceId: string | undefined
  readonly count: number | undefined
}

export const findDraft = (db: SqlConnection, gatewayId: string, sessionKey: string): StoredDraft | undefined => {
  const [row] = readRows(
    [isText, isInteger, orNull(isText), orNull(isInteger)],
    db.rows(
      "SELECT text, updated_at, device_id, device_count FROM drafts WHERE gateway_id = ? AND session_key = ?",
      gatewayId,
      sessionKey
    )
  )
  if (row === undefined) return undefined
  const [text, updatedAt, deviceId, count] = row
  return { gatewayId, sessionKey, text, updatedAt, deviceId: deviceId ?? undefined, count: count ?? undefined }
}

export const saveDraft = (db: SqlConnection, draft: StoredDraft): void => {
  db.run(
    "INSERT OR REPLACE INTO drafts VALUES (?, ?, ?, ?, ?, ?, ?)",
    draft.gatewayId,
    draft.sessionKey,
    draft.updatedAt,
    draft.deviceId ?? null,
    draft.count ?? null,
    Buffer.byteLength(draft.text),
    draft.text
  )
}

export const removeDraft = (db: SqlConnection, gatewayId: string, sessionKey: string): void => {
  db.run("DELETE FROM drafts WHERE gateway_id = ? AND session_key = ?", gatewayId, sessionKey)
}

/** Deletes the oldest drafts beyond the limits. */
export const forgetOldest = (db: SqlConnection): void => {
  db.run(
    `DELETE FROM drafts WHERE rowid IN (
      SELECT id FROM (
        SELECT rowid AS id, row_number() OVER newest AS place, sum(bytes) OVER newest AS size
        FROM drafts WINDOW newest AS (ORDER BY updated_at DESC, rowid ROWS UNBOUNDED PRECEDING)
      ) WHERE place > ? OR size > ?
    )`,
    MAX_DRAFTS,
    MAX_DRAFT_BYTES
  )
}

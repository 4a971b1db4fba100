import { isInteger, isText, orNull, readRows } from "../../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../../platform/sqlite/Sqlite.ts"

/** The transcript that an answer counts in: its number, 0 for one that no file has any more. */
export interface AnswerOwner {
  readonly transcript: number
  readonly isLive: boolean
  /** `agent/session`, empty where no file has the answer. */
  readonly session: string
}

const OWNER = `
  SELECT a.transcript, t.live, t.agent, t.session FROM answers a LEFT JOIN transcripts t ON t.id = a.transcript
  WHERE a.key = ?`
const OWNER_ROW = [isInteger, orNull(isInteger), orNull(isText), orNull(isText)] as const

/** Where an answer counts; `undefined` for one that has never been counted. */
export const ownerOf = (db: SqlConnection, key: number): AnswerOwner | undefined => {
  const [row] = readRows(OWNER_ROW, db.rows(OWNER, key))
  if (row === undefined) return undefined
  const [transcript, live, agent, session] = row
  return { transcript, isLive: live === 1, session: live === null ? "" : `${agent}/${session}` }
}

/** Has an answer count in a transcript. */
export const own = (db: SqlConnection, key: number, transcript: number): void => {
  db.run(
    "INSERT INTO answers VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET transcript = excluded.transcript",
    key,
    transcript
  )
}

/** A transcript's answers count nowhere until a file is read that has them. */
export const release = (db: SqlConnection, transcript: number): void => {
  db.run("UPDATE answers SET transcript = 0 WHERE transcript = ?", transcript)
}

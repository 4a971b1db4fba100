import { isFinite, isInteger, isText, readRows } from "../../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../../platform/sqlite/Sqlite.ts"
import type { GoneTranscript, IndexSeed } from "../transcripts/TranscriptIndex.ts"
import { isLive, sessionOf, type TranscriptChange } from "../transcripts/TranscriptState.ts"
import type { UsageRow, UsageSums } from "../UsageRow.ts"
import { SUM_COLUMNS } from "./sumColumns.ts"

const SUM_NAMES = SUM_COLUMNS.join(", ")
const SUM_MARKS = SUM_COLUMNS.map(() => "?").join(", ")
const ADD_SUMS = SUM_COLUMNS.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")

/** The values of the sum columns, in their order. */
export const sumValues = (row: UsageSums): ReadonlyArray<number> => [
  row.messages,
  row.errors,
  row.input,
  row.output,
  row.cacheRead,
  row.cacheWrite,
  row.nanoDollars
]

const SAVE_TRANSCRIPT = `
  INSERT INTO transcripts (folder, name, agent, session, live, inode, size, mtime_ms, offset, tail, newest)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (folder, name) DO UPDATE SET
    inode = excluded.inode, size = excluded.size, mtime_ms = excluded.mtime_ms, offset = excluded.offset,
    tail = excluded.tail, newest = excluded.newest`

const ADD_TRANSCRIPT_USAGE = `
  INSERT INTO transcript_usage (transcript, day, provider, model, priced, ${SUM_NAMES})
  VALUES (?, ?, ?, ?, ?, ${SUM_MARKS})
  ON CONFLICT (transcript, day, provider, model, priced) DO UPDATE SET ${ADD_SUMS}`

const KEEP_USAGE = `
  INSERT INTO kept_usage (day, agent, session, provider, model, priced, ${SUM_NAMES})
  VALUES (?, ?, ?, ?, ?, ?, ${SUM_MARKS})
  ON CONFLICT (day, agent, session, provider, model, priced) DO UPDATE SET ${ADD_SUMS}`

const SAVE_SESSION = `
  INSERT INTO sessions (agent, session, newest) VALUES (?, ?, ?)
  ON CONFLICT (agent, session) DO UPDATE SET newest = MAX(newest, excluded.newest)`

const rowKey = (row: UsageRow) => [row.provider, row.model, row.priced ? 1 : 0] as const

const transcriptId = (db: SqlConnection, folder: string, name: string): number => {
  const rows = db.rows("SELECT id FROM transcripts WHERE folder = ? AND name = ?", folder, name)
  return readRows([isInteger], rows)[0]?.[0] ?? 0
}

/** Stores what a scan found in one transcript: its state together with its totals. */
export const saveChange = (db: SqlConnection, change: TranscriptChange): void => {
  const { state, formerName } = change
  const session = sessionOf(state.name) ?? state.name
  if (formerName !== undefined) {
    db.run("DELETE FROM transcripts WHERE folder = ? AND name = ?", state.folder, state.name)
    db.run(
      "UPDATE transcripts SET name = ?, live = ? WHERE folder = ? AND name = ?",
      state.name,
      isLive(state.name) ? 1 : 0,
      state.folder,
      formerName
    )
  }
  db.run(
    SAVE_TRANSCRIPT,
    state.folder,
    state.name,
    state.agent,
    session,
    isLive(state.name) ? 1 : 0,
    state.inode,
    state.size,
    state.mtimeMs,
    state.offset,
    state.tail,
    state.newest
  )
  const id = transcriptId(db, state.folder, state.name)
  if (change.replaces) db.run("DELETE FROM transcript_usage WHERE transcript = ?", id)
  for (const row of change.rows) db.run(ADD_TRANSCRIPT_USAGE, id, row.day, ...rowKey(row), ...sumValues(row))
  for (const row of change.fresh) {
    db.run(KEEP_USAGE, row.day, state.agent, session, ...rowKey(row), ...sumValues(row))
  }
  if (state.newest !== "") db.run(SAVE_SESSION, state.agent, session, state.newest)
}

/** Forgets deleted transcripts; their totals are kept. */
export const forgetTranscripts = (db: SqlConnection, gone: ReadonlyArray<GoneTranscript>): void => {
  for (const { folder, name } of gone) db.run("DELETE FROM transcripts WHERE folder = ? AND name = ?", folder, name)
}

const STATE = [isText, isText, isText, isFinite, isFinite, isFinite, isFinite, isText, isText] as const

/** How far every transcript has been read, for the first scan of this process. */
export const readSeed = (db: SqlConnection): IndexSeed => ({
  states: readRows(
    STATE,
    db.rows("SELECT folder, name, agent, inode, size, mtime_ms, offset, tail, newest FROM transcripts")
  ).map(([folder, name, agent, inode, size, mtimeMs, offset, tail, newest]) => ({
    folder,
    name,
    agent,
    inode,
    size,
    mtimeMs,
    offset,
    tail,
    newest
  })),
  sessions: readRows([isText, isText, isText], db.rows("SELECT agent, session, newest FROM sessions")).map(
    ([agent, session, newest]) => ({ agent, session, newest })
  )
})

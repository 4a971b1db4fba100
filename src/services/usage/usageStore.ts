import { Schema } from "effect"
import type { SqlConnection } from "../sqlite/Sqlite.ts"
import { SUM_COLUMNS } from "./sumColumns.ts"
import type { GoneTranscript, IndexSeed } from "./transcripts/TranscriptIndex.ts"
import { isLive, sessionOf, type TranscriptChange } from "./transcripts/TranscriptState.ts"
import type { UsageRow, UsageSums } from "./UsageRow.ts"

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

const decodeId = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.Int }))

const rowKey = (row: UsageRow) => [row.provider, row.model, row.priced ? 1 : 0] as const

/** Stores what a scan found in one transcript: its state and its sums, together. */
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
  const { id } = decodeId(db.get("SELECT id FROM transcripts WHERE folder = ? AND name = ?", state.folder, state.name))
  if (change.replaces) db.run("DELETE FROM transcript_usage WHERE transcript = ?", id)
  for (const row of change.rows) db.run(ADD_TRANSCRIPT_USAGE, id, row.day, ...rowKey(row), ...sumValues(row))
  for (const row of change.fresh) {
    db.run(KEEP_USAGE, row.day, state.agent, session, ...rowKey(row), ...sumValues(row))
  }
  if (state.newest !== "") db.run(SAVE_SESSION, state.agent, session, state.newest)
}

/** Forgets transcripts that are gone; what was counted of them is kept. */
export const forgetTranscripts = (db: SqlConnection, gone: ReadonlyArray<GoneTranscript>): void => {
  for (const { folder, name } of gone) db.run("DELETE FROM transcripts WHERE folder = ? AND name = ?", folder, name)
}

const decodeStates = Schema.decodeUnknownSync(
  Schema.Array(
    Schema.Struct({
      folder: Schema.String,
      name: Schema.String,
      agent: Schema.String,
      inode: Schema.Finite,
      size: Schema.Finite,
      mtimeMs: Schema.Finite,
      offset: Schema.Finite,
      tail: Schema.String,
      newest: Schema.String
    })
  )
)
const decodeSessions = Schema.decodeUnknownSync(
  Schema.Array(Schema.Struct({ agent: Schema.String, session: Schema.String, newest: Schema.String }))
)

/** How far every transcript has been read, for the first scan of this process. */
export const readSeed = (db: SqlConnection): IndexSeed => ({
  states: decodeStates(
    db.all("SELECT folder, name, agent, inode, size, mtime_ms AS mtimeMs, offset, tail, newest FROM transcripts")
  ),
  sessions: decodeSessions(db.all("SELECT agent, session, newest FROM sessions"))
})

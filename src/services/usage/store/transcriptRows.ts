import { isFinite, isInteger, isText, orNull, readRows } from "../../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../../platform/sqlite/Sqlite.ts"
import { isLive } from "../../transcripts/transcriptFiles.ts"
import type { UsageLine } from "../transcripts/readUsageLine.ts"
import {
  type AnswerReader,
  type ChangedTranscript,
  type GoneTranscript,
  readTranscript,
  type TranscriptState
} from "../transcripts/TranscriptIndex.ts"
import { SUM_COLUMNS, sumValues, Tally, type UsageRow } from "../UsageRow.ts"
import { formerNewest } from "./recountRows.ts"

const SUM_NAMES = SUM_COLUMNS.join(", ")
const SUM_MARKS = SUM_COLUMNS.map(() => "?").join(", ")
const ADD_SUMS = SUM_COLUMNS.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")

const ADD_TRANSCRIPT = `
  INSERT INTO transcripts (folder, name, agent, session, live, inode, size, mtime_ms, offset, tail, newest)
  VALUES (?, ?, ?, ?, ?, 0, 0, 0, 0, '', '')`

const SAVE_TRANSCRIPT = `
  UPDATE transcripts SET inode = ?, size = ?, mtime_ms = ?, offset = ?, tail = ?, newest = ? WHERE id = ?`

const SAVE_READING = `
  INSERT INTO readings (transcript, offset, copies) VALUES (?, ?, ?)
  ON CONFLICT (transcript) DO UPDATE SET offset = excluded.offset, copies = MAX(copies, excluded.copies)`

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

const SUBTRACT_USAGE = `
  UPDATE kept_usage SET ${SUM_COLUMNS.map((name) => `${name} = MAX(0, ${name} - ?)`).join(", ")}
  WHERE day = ? AND agent = ? AND session = ? AND provider = ? AND model = ? AND priced = ?`

const rowKey = (row: UsageRow) => [row.provider, row.model, row.priced ? 1 : 0] as const

const numberOf = (db: SqlConnection, folder: string, name: string): number | undefined =>
  readRows([isInteger], db.rows("SELECT id FROM transcripts WHERE folder = ? AND name = ?", folder, name))[0]?.[0]

/** What's stored of a transcript that is about to be read. */
interface OpenedTranscript {
  readonly id: number
  /** Whether it was never read before, under whatever name. */
  readonly isNew: boolean
  /** Whether answers that counted in it count nowhere now. */
  readonly hasReleased: boolean
}

const addTranscript = (db: SqlConnection, { folder, name, agent, session }: ChangedTranscript): number =>
  db.run(ADD_TRANSCRIPT, folder, name, agent, session, isLive(name) ? 1 : 0)

const openTranscript = (db: SqlConnection, transcript: ChangedTranscript): OpenedTranscript => {
  const { folder, name, before } = transcript
  const former = before === undefined || before.name === name ? undefined : numberOf(db, folder, before.name)
  if (former === undefined) {
    const known = numberOf(db, folder, name)
    return { id: known ?? addTranscript(db, transcript), isNew: known === undefined, hasReleased: false }
  }
  forgetTranscripts(db, [{ folder, name }])
  db.run("UPDATE transcripts SET name = ?, live = ? WHERE id = ?", name, isLive(name) ? 1 : 0, former)
  return { id: former, isNew: false, hasReleased: true }
}

/** The transcript that an answer counts in: its number, 0 for one that no file has any more. */
interface AnswerOwner {
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
const ownerOf = (db: SqlConnection, key: number): AnswerOwner | undefined => {
  const [row] = readRows(OWNER_ROW, db.rows(OWNER, key))
  if (row === undefined) return undefined
  const [transcript, live, agent, session] = row
  return { transcript, isLive: live === 1, session: live === null ? "" : `${agent}/${session}` }
}

/** Has an answer count in a transcript. */
const setOwner = (db: SqlConnection, key: number, transcript: number): void => {
  db.run(
    "INSERT INTO answers VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET transcript = excluded.transcript",
    key,
    transcript
  )
}

/** A transcript's answers count nowhere until a file is read that has them. */
const release = (db: SqlConnection, transcript: number): void => {
  db.run("UPDATE answers SET transcript = 0 WHERE transcript = ?", transcript)
}

/** Counts the answers of one transcript as they are read. */
class TranscriptCount implements AnswerReader {
  readonly rows = new Tally()
  readonly fresh = new Tally()
  readonly former = new Tally()
  hasCopies = false
  hasReleased: boolean
  readonly #db: SqlConnection
  readonly #transcript: ChangedTranscript
  readonly #opened: OpenedTranscript
  readonly #formerNewest: string

  constructor(db: SqlConnection, transcript: ChangedTranscript) {
    this.#db = db
    this.#transcript = transcript
    this.#opened = openTranscript(db, transcript)
    this.#formerNewest = this.#opened.isNew ? formerNewest(db, transcript.agent, transcript.session) : ""
    this.hasReleased = this.#opened.hasReleased
  }

  get id(): number {
    return this.#opened.id
  }

  begin(continues: boolean): void {
    if (continues || this.#opened.isNew) return
    release(this.#db, this.id)
    this.#db.run("DELETE FROM readings WHERE transcript = ?", this.id)
    this.#db.run("DELETE FROM transcript_usage WHERE transcript = ?", this.id)
    this.hasReleased = true
  }

  answer(line: UsageLine, key: number): void {
    const owner = ownerOf(this.#db, key)
    const isHere = owner?.transcript === this.id
    const isElsewhere = owner?.isLive === true && !isHere
    if (isElsewhere) this.hasCopies = true
    if (this.#wasCounted(line, owner)) this.former.add(line.formerRow ?? line)
    if (isHere || isElsewhere) return
    if (owner === undefined) this.fresh.add(line)
    if (isLive(this.#transcript.name)) this.rows.add(line)
    if (isLive(this.#transcript.name) || owner === undefined || owner.transcript === 0) setOwner(this.#db, key, this.id)
  }

  /**
   * Whether a version that didn't know answers by their ids counted this line: of a session's files it counted the first
   * that had a line, but each line within a file.
   */
  #wasCounted({ writtenAt }: UsageLine, owner: AnswerOwner | undefined): boolean {
    if (writtenAt > this.#formerNewest) return false
    if (owner === undefined || owner.transcript === this.id) return true
    return owner.transcript !== 0 && owner.session !== `${this.#transcript.agent}/${this.#transcript.session}`
  }
}

/** What reading a transcript came to. */
export interface CountedTranscript {
  readonly state: TranscriptState
  /** Whether answers that counted in it count nowhere now, so that copies of them may. */
  readonly hasReleased: boolean
}

/**
 * Reads what's new in a transcript and stores it: its state together with its totals. An answer counts once, whichever
 * files have copies of it. Throws if the file can't be read.
 */
export const countTranscript = (db: SqlConnection, path: string, transcript: ChangedTranscript): CountedTranscript => {
  const count = new TranscriptCount(db, transcript)
  const { agent, session } = transcript
  const state = readTranscript(path, transcript, count)
  const { inode, size, mtimeMs, offset, tail, newest } = state
  db.run(SAVE_TRANSCRIPT, inode, size, mtimeMs, offset, tail, newest, count.id)
  db.run(SAVE_READING, count.id, offset, count.hasCopies ? 1 : 0)
  for (const row of count.rows.rows) {
    db.run(ADD_TRANSCRIPT_USAGE, count.id, row.day, ...rowKey(row), ...sumValues(row))
  }
  // What an older version counted of these answers makes room for them, however often that was.
  for (const row of count.former.rows)
    db.run(SUBTRACT_USAGE, ...sumValues(row), row.day, agent, session, ...rowKey(row))
  for (const row of count.fresh.rows) db.run(KEEP_USAGE, row.day, agent, session, ...rowKey(row), ...sumValues(row))
  if (newest !== "") db.run(SAVE_SESSION, agent, session, newest)
  return { state, hasReleased: count.hasReleased }
}

/** Forgets deleted transcripts; their totals are kept. */
export const forgetTranscripts = (db: SqlConnection, gone: ReadonlyArray<GoneTranscript>): void => {
  for (const { folder, name } of gone) db.run("DELETE FROM transcripts WHERE folder = ? AND name = ?", folder, name)
  // At once, before a new transcript gets the number of one that's gone.
  db.run("UPDATE answers SET transcript = 0 WHERE transcript <> 0 AND transcript NOT IN (SELECT id FROM transcripts)")
}

/** The transcripts in use with copies of answers that count elsewhere. */
export const transcriptsWithCopies = (db: SqlConnection): ReadonlyArray<GoneTranscript> =>
  readRows(
    [isText, isText],
    db.rows(
      "SELECT t.folder, t.name FROM readings r JOIN transcripts t ON t.id = r.transcript WHERE r.copies = 1 AND t.live = 1"
    )
  ).map(([folder, name]) => ({ folder, name }))

const STATE = [isText, isText, isText, isFinite, isFinite, isFinite, isFinite, isText, isText] as const

/** How far every transcript has been read, for the first scan of this process. */
export const readStates = (db: SqlConnection): ReadonlyArray<TranscriptState> =>
  readRows(
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
  }))

import { isInteger, isText, orNull, readRows } from "../../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../../platform/sqlite/Sqlite.ts"
import type { SearchEntry, SearchPlace } from "../searchTypes.ts"
import { indexedText } from "../text/indexedText.ts"
import { normalise } from "../text/words.ts"
import { kindNumber, roleNumber, tagsOf } from "./tags.ts"
import { saveText } from "./textRows.ts"

/** Entries at the same millisecond. */
export const SLOTS = 1024
const LATEST = Math.floor(Number.MAX_SAFE_INTEGER / SLOTS) - SLOTS
/** Of longer texts, what comes after isn't found: nobody reads a tool's output of ten megabytes. */
const MAX_TEXT = 1024 * 1024

const idOf = (db: SqlConnection, sql: string, ...values: ReadonlyArray<string | number>): number | undefined =>
  readRows([orNull(isInteger)], db.rows(sql, ...values))[0]?.[0] ?? undefined

export const findPlace = (db: SqlConnection, { kind, gatewayId, name, agent }: SearchPlace): number | undefined =>
  idOf(
    db,
    "SELECT id FROM places WHERE kind = ? AND gateway = ? AND name = ? AND agent = ?",
    kindNumber(kind),
    gatewayId,
    name,
    agent
  )

export const openPlace = (db: SqlConnection, place: SearchPlace): number =>
  findPlace(db, place) ??
  db.run(
    "INSERT INTO places (kind, gateway, name, agent) VALUES (?, ?, ?, ?)",
    kindNumber(place.kind),
    place.gatewayId,
    place.name,
    place.agent
  )

/** The first id of a time. */
const idAt = (at: number): number => Math.min(Math.max(0, Math.floor(at)), LATEST) * SLOTS

/** The next free id of a time, or of the next time that has one. */
const freeId = (db: SqlConnection, at: number): number => {
  let base = idAt(at)
  for (;;) {
    const last = idOf(db, "SELECT MAX(id) FROM texts WHERE id >= ? AND id < ?", base, base + SLOTS)
    if (last === undefined) return base
    if (last + 1 < base + SLOTS) return last + 1
    base += SLOTS
  }
}

/** The number of what is added together next. */
export const nextAdded = (db: SqlConnection): number => (idOf(db, "SELECT added FROM state") ?? 0) + 1

/** The same, and counts on. */
export const takeAdded = (db: SqlConnection): number => {
  const added = nextAdded(db)
  db.run("UPDATE state SET added = ?", added)
  return added
}

/** Takes an entry out of every answer at once; its words and text are removed later. */
const discard = (db: SqlConnection, where: string, ...values: ReadonlyArray<string | number>): void => {
  db.run(`INSERT OR IGNORE INTO garbage SELECT id FROM entries WHERE ${where}`, ...values)
  db.run(`DELETE FROM entries WHERE ${where}`, ...values)
}

export const discardKey = (db: SqlConnection, place: number, key: string): void =>
  discard(db, "place = ? AND key = ?", place, key)

/** Has the next look read again which transcripts have copies of messages that stood elsewhere until now. */
const readCopiesAgain = (db: SqlConnection): void => {
  db.run("UPDATE transcripts SET size = -1, offset = 0, tail = '' WHERE copies = 1")
}

export const discardTranscript = (db: SqlConnection, transcript: number): void => {
  discard(db, "transcript = ?", transcript)
  readCopiesAgain(db)
}

export const discardRole = (db: SqlConnection, role: number): void => discard(db, "role = ?", role)

export const discardPlace = (db: SqlConnection, place: number): void => {
  discard(db, "place = ?", place)
  db.run("DELETE FROM transcripts WHERE place = ?", place)
  db.run("DELETE FROM places WHERE id = ?", place)
  readCopiesAgain(db)
}

/** Who adds an entry: its number, and the transcript it stands in. */
interface Origin {
  readonly added: number
  readonly transcript?: TranscriptOrigin
}

/** A transcript, and whether the gateway made it as a copy of another one. */
export interface TranscriptOrigin {
  readonly id: number
  readonly isCheckpoint: boolean
}

const noteCopies = (db: SqlConnection, transcript: number): void => {
  db.run("UPDATE transcripts SET copies = 1 WHERE id = ?", transcript)
}

/** Whether another conversation of the gateway has the message: forks and backups of a transcript repeat it. */
const standsElsewhere = (db: SqlConnection, { at, key, place }: SearchEntry): boolean => {
  const from = idAt(at)
  const sql = `SELECT e.id FROM entries e JOIN places p ON p.id = e.place
    WHERE e.id >= ? AND e.id < ? AND e.key = ? AND p.kind = ? AND p.gateway = ? AND p.name <> ? LIMIT 1`
  return idOf(db, sql, from, from + SLOTS, key, kindNumber(place.kind), place.gatewayId, place.name) !== undefined
}

/** Of several transcripts with a message the one it's removed with is the conversation's own. */
const claim = (db: SqlConnection, entry: number, owner: number | null, transcript: TranscriptOrigin): void => {
  if (owner === transcript.id) return
  if (owner !== null) noteCopies(db, transcript.isCheckpoint ? transcript.id : owner)
  if (!transcript.isCheckpoint) db.run("UPDATE entries SET transcript = ? WHERE id = ?", transcript.id, entry)
}

/** A message is known by its length: what is told of it later is the same text, or more of it. */
const isKnown = (known: string, stamp: string, isMessage: boolean): boolean =>
  isMessage ? Number(stamp) <= Number(known) : stamp === known

/** Adds an entry, or replaces it if it has changed; returns whether it did. */
export const putEntry = (db: SqlConnection, entry: SearchEntry, { added, transcript }: Origin): boolean => {
  const isMessage = entry.place.kind === "message"
  const text = normalise(entry.text.slice(0, MAX_TEXT))
  if (text.trim() === "") return false
  const place = openPlace(db, entry.place)
  const stamp = isMessage ? String(text.length) : entry.stamp
  const [known] = readRows(
    [isInteger, isText, orNull(isInteger)],
    db.rows("SELECT id, stamp, transcript FROM entries WHERE place = ? AND key = ?", place, entry.key)
  )
  if (known !== undefined && isKnown(known[1], stamp, isMessage)) {
    if (transcript !== undefined) claim(db, known[0], known[2], transcript)
    return false
  }
  if (known === undefined && transcript !== undefined && standsElsewhere(db, entry)) {
    noteCopies(db, transcript.id)
    return false
  }
  if (known !== undefined) discardKey(db, place, entry.key)
  const id = freeId(db, entry.at)
  const { text: words, parts, names } = indexedText(text)
  db.run(
    "INSERT INTO words (rowid, text, parts, names, tags) VALUES (CAST(? AS INTEGER), ?, ?, ?, ?)",
    id,
    words,
    parts,
    names,
    tagsOf(entry.place, place, entry.role)
  )
  saveText(db, id, text)
  db.run(
    "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)",
    id,
    place,
    entry.key,
    roleNumber(entry.role),
    stamp,
    added,
    transcript?.id ?? null
  )
  return true
}

/** Removes the words and texts of discarded entries; returns how many are left. */
export const sweep = (db: SqlConnection, limit: number): number => {
  const ids = readRows([isInteger], db.rows("SELECT id FROM garbage ORDER BY id LIMIT ?", limit))
  for (const [id] of ids) {
    db.run("DELETE FROM words WHERE rowid = CAST(? AS INTEGER)", id)
    db.run("DELETE FROM texts WHERE id = ?", id)
    db.run("DELETE FROM garbage WHERE id = ?", id)
  }
  return ids.length < limit ? 0 : (idOf(db, "SELECT COUNT(*) FROM garbage") ?? 0)
}

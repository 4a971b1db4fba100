import { zstdCompressSync, zstdDecompressSync } from "node:zlib"
import * as Result from "effect/Result"
import { SEARCH_KINDS, SEARCH_ROLES, type SearchKind, type SearchRole } from "../../../contract/search.ts"
import { isBytes, isFinite, isInteger, isText, orNull, readRows } from "../../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../../platform/sqlite/Sqlite.ts"
import type { TagChoices } from "../query/matchExpression.ts"
import type { SearchCounts } from "../SearchThread.ts"
import { conversation, type SearchEntry, type SearchOrder, type SearchPlace } from "../searchTypes.ts"
import { indexedText } from "../text/indexedText.ts"
import { normalise } from "../text/words.ts"

// Imported from its own module, so the thread starts without the rest of the library.

/** Shorter texts don't get smaller. */
const WORTH_PACKING = 200

const saveText = (db: SqlConnection, id: number, text: string): void => {
  const plain = Buffer.from(text)
  const packed = plain.length >= WORTH_PACKING ? zstdCompressSync(plain) : plain
  const isPacked = packed.length < plain.length
  db.run("INSERT INTO texts VALUES (?, ?, ?)", id, isPacked ? 1 : 0, isPacked ? packed : plain)
}

/** SQLite's code for a damaged page; it doesn't notice damage inside texts. */
const CORRUPT = 11

const unpack = (body: Uint8Array): Buffer => {
  const unpacked = Result.try(() => zstdDecompressSync(body))
  if (Result.isSuccess(unpacked)) return unpacked.success
  throw Object.assign(new Error("a text of the search index is damaged"), { errcode: CORRUPT })
}

/** An entry's text; empty if it's gone. */
export const readText = (db: SqlConnection, id: number): string => {
  const [row] = readRows([isInteger, isBytes], db.rows("SELECT packed, body FROM texts WHERE id = ?", id))
  if (row === undefined) return ""
  const [packed, body] = row
  return (packed === 1 ? unpack(body) : Buffer.from(body)).toString("utf8")
}

/** Kinds and roles are stored as numbers. */
const kindNumber = (kind: SearchKind): number => SEARCH_KINDS.indexOf(kind)
export const roleNumber = (role: SearchRole | undefined): number =>
  role === undefined ? -1 : SEARCH_ROLES.indexOf(role)
export const roleOf = (number: number): SearchRole | undefined => SEARCH_ROLES[number]

const named = (letter: string, name: string) => letter + Buffer.from(name).toString("hex")
const kindTag = (kind: SearchKind) => `k${kindNumber(kind)}`
const roleTag = (role: SearchRole) => `r${roleNumber(role)}`
const placeTag = (id: number) => `p${id}`

/** The tags of an entry, by which it's filtered. */
const tagsOf = (place: SearchPlace, id: number, role: SearchRole | undefined): string =>
  [
    kindTag(place.kind),
    placeTag(id),
    named("g", place.gatewayId),
    ...(place.agent === "" ? [] : [named("a", place.agent)]),
    ...(role === undefined ? [] : [roleTag(role)])
  ].join(" ")

/** The tags that a query requires; a conversation is given by the ids of its places. */
export const tagsWanted = (order: SearchOrder, places: ReadonlyArray<number> | undefined): TagChoices => {
  const { agent, gatewayId, kinds, roles, terms } = order
  const all = kinds.length === 0 ? SEARCH_KINDS : kinds
  // A tag that all entries have only costs time, but a query without a required word needs one.
  const isNeeded = all.length < SEARCH_KINDS.length || terms.every(({ isWithout }) => isWithout)
  return [
    ...(isNeeded ? [all.map(kindTag)] : []),
    ...(roles.length === 0 ? [] : [roles.map(roleTag)]),
    ...(gatewayId === undefined ? [] : [[named("g", gatewayId)]]),
    ...(agent === undefined ? [] : [[named("a", agent)]]),
    ...(places === undefined ? [] : [places.map(placeTag)])
  ]
}

/** Entries at the same millisecond. */
export const SLOTS = 1024
const LATEST = Math.floor(Number.MAX_SAFE_INTEGER / SLOTS) - SLOTS
/** Of longer texts, what comes after isn't found: nobody reads a tool's output of ten megabytes. */
const MAX_TEXT = 1024 * 1024

const idOf = (db: SqlConnection, sql: string, ...values: ReadonlyArray<string | number>): number | undefined =>
  readRows([orNull(isInteger)], db.rows(sql, ...values))[0]?.[0] ?? undefined

const findPlace = (db: SqlConnection, { kind, gatewayId, name, agent }: SearchPlace): number | undefined =>
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
export const claimAdded = (db: SqlConnection): number => {
  const added = nextAdded(db)
  db.run("UPDATE state SET added = ?", added)
  return added
}

/** Takes an entry out of every answer at once; its words and text are removed later. */
const discard = (db: SqlConnection, where: string, ...values: ReadonlyArray<string | number>): void => {
  db.run(`INSERT OR IGNORE INTO garbage SELECT id FROM entries WHERE ${where}`, ...values)
  db.run(`DELETE FROM entries WHERE ${where}`, ...values)
}

const discardKey = (db: SqlConnection, place: number, key: string): void =>
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

const discardPlace = (db: SqlConnection, place: number): void => {
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

/** A message is known by its length: what is events of it later is the same text, or more of it. */
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

export const readStamps = (db: SqlConnection, place: SearchPlace): ReadonlyMap<string, string> => {
  const id = findPlace(db, place)
  if (id === undefined) return new Map()
  return new Map(readRows([isText, isText], db.rows("SELECT key, stamp FROM entries WHERE place = ?", id)))
}

export const removeKeys = (db: SqlConnection, place: SearchPlace, keys: ReadonlyArray<string>): void => {
  const id = findPlace(db, place)
  if (id !== undefined) for (const key of keys) discardKey(db, id, key)
}

export const forgetPlace = (db: SqlConnection, place: SearchPlace): void => {
  const id = findPlace(db, place)
  if (id !== undefined) discardPlace(db, id)
}

export const keepOnly = (db: SqlConnection, place: SearchPlace, keys: ReadonlyArray<string>, added: number): void => {
  const id = findPlace(db, place)
  if (id === undefined) return
  const kept = new Set(keys)
  const known = readRows([isText], db.rows("SELECT key FROM entries WHERE place = ? AND added < ?", id, added))
  for (const [key] of known) if (!kept.has(key)) discardKey(db, id, key)
}

export const readConversations = (db: SqlConnection, gatewayId: string): ReadonlyMap<string, number | null> =>
  new Map(
    readRows(
      [isText, orNull(isFinite)],
      db.rows("SELECT name, read_to FROM places WHERE kind = 0 AND gateway = ?", gatewayId)
    )
  )

export const setReadTo = (db: SqlConnection, place: SearchPlace, readTo: number): void => {
  db.run("UPDATE places SET read_to = ? WHERE id = ?", readTo, openPlace(db, place))
}

export const setTitles = (
  db: SqlConnection,
  gatewayId: string,
  titles: ReadonlyArray<readonly [key: string, title: string]>
): void => {
  for (const [key, title] of titles) {
    const id = findPlace(db, conversation(gatewayId, key))
    if (id !== undefined) db.run("UPDATE places SET title = ? WHERE id = ?", title, id)
  }
}

const count = (db: SqlConnection, sql: string): number => readRows([isInteger], db.rows(sql))[0]?.[0] ?? 0

export const readCounts = (db: SqlConnection): SearchCounts => {
  const all = count(db, "SELECT COUNT(*) FROM entries")
  const documents = count(db, "SELECT COUNT(*) FROM places p JOIN entries e ON e.place = p.id WHERE p.kind > 0")
  const pages = count(db, "PRAGMA page_count")
  return { messages: all - documents, documents, bytes: pages * count(db, "PRAGMA page_size") }
}

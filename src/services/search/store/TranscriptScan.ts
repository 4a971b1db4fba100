import { lstatSync, readFileSync, type Stats, statSync } from "node:fs"
// Imported from its own module, so the thread starts without the rest of the library.
import * as Result from "effect/Result"
import { isFinite, isInteger, isText, readRows } from "../../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../../platform/sqlite/Sqlite.ts"
import {
  isCheckpoint,
  isLive,
  isUnchanged,
  type ReadPosition,
  readAppended,
  sessionOf,
  transcriptsIn
} from "../../transcripts/transcriptFiles.ts"
import type { TranscriptFolder } from "../../transcripts/transcriptFolders.ts"
import type { SearchStep } from "../SearchThread.ts"
import { conversation, type SearchPlace, UNLISTED } from "../searchTypes.ts"
import { conversationTitle, type MessageLine, readMessageLine } from "../text/conversationText.ts"
import { claimAdded, discardTranscript, openPlace, putEntry } from "./entryRows.ts"

/** A transcript's entry in the gateway's list. */
interface NamedSession {
  readonly key: string
  readonly title: string | undefined
}

/** The conversations of a folder by the names of their files; `undefined` if there's no list. */
type SessionNames = ReadonlyMap<string, NamedSession> | undefined

const LIST = "sessions.json"

const textOf = (value: unknown, name: string): string | undefined => {
  const found: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
  return typeof found === "string" && found.trim() !== "" ? found : undefined
}

const parseNames = (text: string): SessionNames => {
  const list = Result.getOrUndefined(Result.try((): unknown => JSON.parse(text)))
  if (typeof list !== "object" || list === null) return undefined
  const names = new Map<string, NamedSession>()
  for (const [key, entry] of Object.entries(list)) {
    const title = conversationTitle({
      key,
      label: textOf(entry, "label") ?? null,
      displayName: textOf(entry, "displayName") ?? null
    })
    const file = textOf(entry, "sessionFile")?.split("/").at(-1)
    const id = textOf(entry, "sessionId")
    if (file !== undefined) names.set(file, { key, title })
    if (id !== undefined) names.set(`${id}.jsonl`, { key, title })
  }
  return names
}

const known = new Map<string, { readonly mtimeMs: number; readonly names: SessionNames }>()

/** Reads the gateway's list of a folder's conversations; returns the last one while it can't be read. */
const sessionNames = (folder: string): SessionNames => {
  const path = `${folder}/${LIST}`
  const info = statSync(path, { throwIfNoEntry: false })
  const last = known.get(folder)
  if (info === undefined) return undefined
  if (last?.mtimeMs === info.mtimeMs) return last.names
  const text = Result.getOrUndefined(Result.try(() => readFileSync(path, "utf8")))
  const names = (text === undefined ? undefined : parseNames(text)) ?? last?.names
  known.set(folder, { mtimeMs: info.mtimeMs, names })
  return names
}

/** Limits of one step, which delays searches: bytes of lines, and files checked. */
const STEP_BYTES = 64 * 1024
const STEP_FILES = 500
/** The gateway lists a new conversation shortly after creating its file. */
const NAMED_WITHIN_MS = 60_000

interface File {
  readonly folder: TranscriptFolder
  readonly name: string
}

/** How far a file was read. */
interface FileState extends ReadPosition {
  readonly id: number
  readonly place: number
}

const STATE = [isInteger, isInteger, isFinite, isFinite, isFinite, isFinite, isText] as const

const stateOf = (db: SqlConnection, { folder, name }: File): FileState | undefined => {
  const sql = "SELECT id, place, inode, size, mtime_ms, offset, tail FROM transcripts WHERE folder = ? AND name = ?"
  const [row] = readRows(STATE, db.rows(sql, folder.path, name))
  if (row === undefined) return undefined
  const [id, place, inode, size, mtimeMs, offset, tail] = row
  return { id, place, inode, size, mtimeMs, offset, tail }
}

const SAVE = `
  INSERT INTO transcripts (folder, name, place, inode, size, mtime_ms, offset, tail) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (folder, name) DO UPDATE SET
    place = excluded.place, inode = excluded.inode, size = excluded.size, mtime_ms = excluded.mtime_ms,
    offset = excluded.offset, tail = excluded.tail`

/** Part of a file, read but not stored. */
interface Chunk {
  readonly position: ReadPosition
  readonly continues: boolean
  readonly lines: ReadonlyArray<MessageLine>
  readonly isWhole: boolean
}

const readChunk = (path: string, before: FileState | undefined): Chunk => {
  const lines: Array<MessageLine> = []
  let bytes = 0
  let continues = false
  const position = readAppended(path, before, (isContinued) => {
    continues = isContinued
    return (buffer, start, end) => {
      const line = readMessageLine(buffer.toString("utf8", start, end))
      if (line !== undefined) lines.push(line)
      bytes += end - start
      return bytes < STEP_BYTES
    }
  })
  return { position, continues, lines, isWhole: bytes < STEP_BYTES }
}

/** One pass over all transcripts, in short steps. */
export class TranscriptScan {
  readonly #gatewayId: string
  readonly #files: ReadonlyArray<File>
  readonly #names = new Map<string, SessionNames>()
  #next = 0
  /** Discarded entries may have copies in files that were checked before. */
  #hasDiscarded = false

  constructor(gatewayId: string, folders: ReadonlyArray<TranscriptFolder>) {
    this.#gatewayId = gatewayId
    const listed = folders.map((folder) => ({ folder, names: transcriptsIn(folder.path) ?? [] }))
    for (const { folder } of listed) this.#names.set(folder.path, sessionNames(folder.path))
    this.#files = listed.flatMap(({ folder, names }) =>
      names
        .filter(isLive)
        .map((name) => ({ folder, name }))
        .sort((a, b) => this.#byOrigin(a, b))
    )
  }

  /** A message belongs to the file read first: listed conversations before forks and backups, a file before its copies. */
  #byOrigin(a: File, b: File): number {
    const unlisted = (file: File) => Number(this.#named(file) === undefined)
    const [sessionA = "", sessionB = ""] = [sessionOf(a.name), sessionOf(b.name)]
    const byName = sessionA < sessionB ? -1 : Number(sessionA > sessionB)
    return unlisted(a) - unlisted(b) || byName || Number(isCheckpoint(a.name)) - Number(isCheckpoint(b.name))
  }

  /** Removes the entries of missing files: deleted, or renamed when their conversation was deleted or reset. */
  forgetGone(db: SqlConnection): void {
    const present = new Set(this.#files.map(({ folder, name }) => `${folder.path}/${name}`))
    const rows = readRows([isInteger, isText, isText], db.rows("SELECT id, folder, name FROM transcripts"))
    for (const [id, folder, name] of rows) {
      // The entries of a folder that can't be listed are kept.
      if (!this.#names.has(folder) || present.has(`${folder}/${name}`)) continue
      discardTranscript(db, id)
      db.run("DELETE FROM transcripts WHERE id = ?", id)
    }
  }

  /** Continues after the last step; `now` is in epoch milliseconds. */
  step(db: SqlConnection, now: number, keepsTools: boolean): SearchStep {
    for (let looked = 0; looked < STEP_FILES; looked += 1) {
      if (this.#next >= this.#files.length && this.#hasDiscarded) {
        this.#hasDiscarded = false
        this.#next = 0
      }
      const file = this.#files[this.#next]
      if (file === undefined) return { isDone: true, progress: 1 }
      const outcome = this.#look(db, file, now, keepsTools)
      if (outcome !== "more") this.#next += 1
      if (outcome !== "same") break
    }
    const isDone = this.#next >= this.#files.length && !this.#hasDiscarded
    return { isDone, progress: this.#next / Math.max(1, this.#files.length) }
  }

  #look(db: SqlConnection, file: File, now: number, keepsTools: boolean): "same" | "read" | "more" {
    const path = `${file.folder.path}/${file.name}`
    const info = lstatSync(path, { throwIfNoEntry: false })
    if (info === undefined || !info.isFile()) return "same"
    const place = this.#placeOf(file, info, now)
    if (place === undefined) return "same"
    const known = stateOf(db, file)
    const isSamePlace = known !== undefined && known.place === openPlace(db, place)
    if (isSamePlace && isUnchanged(known, info)) return "same"
    const chunk = Result.getOrUndefined(Result.try(() => readChunk(path, isSamePlace ? known : undefined)))
    // Missing or unreadable: the next scan retries.
    if (chunk === undefined) return "same"
    this.#save(db, file, place, chunk, keepsTools, known)
    return chunk.isWhole ? "read" : "more"
  }

  #save(
    db: SqlConnection,
    { folder, name }: File,
    place: SearchPlace,
    chunk: Chunk,
    keepsTools: boolean,
    known: FileState | undefined
  ): void {
    const { isWhole, position } = chunk
    if (known !== undefined && !chunk.continues) {
      discardTranscript(db, known.id)
      this.#hasDiscarded = true
    }
    // Only a file that was read completely gets the size and time by which the next scan skips it.
    const [size, mtimeMs] = isWhole ? [position.size, position.mtimeMs] : [-1, -1]
    db.run(SAVE, folder.path, name, openPlace(db, place), position.inode, size, mtimeMs, position.offset, position.tail)
    const transcript = { id: stateOf(db, { folder, name })?.id ?? 0, isCheckpoint: isCheckpoint(name) }
    const title = this.#named({ folder, name })?.title
    if (title !== undefined) db.run("UPDATE places SET title = ? WHERE id = ?", title, openPlace(db, place))
    const added = claimAdded(db)
    for (const { id, at, role, text } of chunk.lines.toSorted((a, b) => a.at - b.at)) {
      if (role === "tool" && !keepsTools) continue
      putEntry(db, { place, key: id, at, role, text, stamp: "" }, { added, transcript })
    }
  }

  /** The conversation of a file; a checkpoint belongs to the conversation of its original. */
  #named({ folder, name }: File): NamedSession | undefined {
    const names = this.#names.get(folder.path)
    return names?.get(name) ?? (isCheckpoint(name) ? names?.get(`${sessionOf(name)}.jsonl`) : undefined)
  }

  #placeOf({ folder, name }: File, info: Stats, now: number): SearchPlace | undefined {
    const names = this.#names.get(folder.path)
    const named = this.#named({ folder, name })
    if (named !== undefined) return conversation(this.#gatewayId, named.key)
    if (names !== undefined && now - info.mtimeMs < NAMED_WITHIN_MS) return undefined
    const session = sessionOf(name) ?? name
    return {
      kind: "message",
      gatewayId: this.#gatewayId,
      name: `${UNLISTED}${folder.agent}/${session}`,
      agent: folder.agent
    }
  }
}

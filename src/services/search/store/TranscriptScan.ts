import { lstatSync, type Stats } from "node:fs"
// Imported from its own module, so the thread starts without the rest of the library.
import * as Result from "effect/Result"
import { isFinite, isInteger, isText, readRows } from "../../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../../platform/sqlite/Sqlite.ts"
import { isUnchanged, type ReadPosition, readAppended } from "../../transcripts/readAppended.ts"
import type { TranscriptFolder } from "../../transcripts/transcriptFolders.ts"
import { isCheckpoint, isLive, sessionOf, transcriptsIn } from "../../transcripts/transcriptNames.ts"
import { conversation, type SearchPlace, UNLISTED } from "../searchTypes.ts"
import { discardTranscript, openPlace, putEntry, takeAdded } from "./entryRows.ts"
import { type MessageLine, readMessageLine } from "./readMessageLine.ts"
import type { SearchStep } from "./searchMessages.ts"
import { type NamedSession, type SessionNames, sessionNames } from "./sessionNames.ts"

/** What one step does at most, for which a search waits: bytes of lines, and files that it looks at. */
const STEP_BYTES = 64 * 1024
const STEP_FILES = 500
/** The gateway names a new conversation in its list a moment after its file. */
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

/** One look through all transcripts, in steps of a moment each. */
export class TranscriptScan {
  readonly #gatewayId: string
  readonly #files: ReadonlyArray<File>
  readonly #names = new Map<string, SessionNames>()
  #next = 0
  /** What was discarded may have copies in files that were looked at before. */
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

  /** Who is read first has a message: listed conversations before forks and backups, a file before its own copies. */
  #byOrigin(a: File, b: File): number {
    const unlisted = (file: File) => Number(this.#named(file) === undefined)
    const [sessionA = "", sessionB = ""] = [sessionOf(a.name), sessionOf(b.name)]
    const byName = sessionA < sessionB ? -1 : Number(sessionA > sessionB)
    return unlisted(a) - unlisted(b) || byName || Number(isCheckpoint(a.name)) - Number(isCheckpoint(b.name))
  }

  /** What's no longer there: deleted, or set aside when its conversation was deleted or begun anew. */
  forgetGone(db: SqlConnection): void {
    const present = new Set(this.#files.map(({ folder, name }) => `${folder.path}/${name}`))
    const rows = readRows([isInteger, isText, isText], db.rows("SELECT id, folder, name FROM transcripts"))
    for (const [id, folder, name] of rows) {
      // A folder that can't be listed is no reason to forget what's in it.
      if (!this.#names.has(folder) || present.has(`${folder}/${name}`)) continue
      discardTranscript(db, id)
      db.run("DELETE FROM transcripts WHERE id = ?", id)
    }
  }

  /** Goes on from the last step; `now` is in epoch milliseconds. */
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
    // Gone or unreadable: the next scan tries again.
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
    // Only a file read to its end has the size and time by which the next scan passes it over.
    const [size, mtimeMs] = isWhole ? [position.size, position.mtimeMs] : [-1, -1]
    db.run(SAVE, folder.path, name, openPlace(db, place), position.inode, size, mtimeMs, position.offset, position.tail)
    const transcript = { id: stateOf(db, { folder, name })?.id ?? 0, isCheckpoint: isCheckpoint(name) }
    const title = this.#named({ folder, name })?.title
    if (title !== undefined) db.run("UPDATE places SET title = ? WHERE id = ?", title, openPlace(db, place))
    const added = takeAdded(db)
    for (const { id, at, role, text } of chunk.lines.toSorted((a, b) => a.at - b.at)) {
      if (role === "tool" && !keepsTools) continue
      putEntry(db, { place, key: id, at, role, text, stamp: "" }, { added, transcript })
    }
  }

  /** The conversation of a file; a checkpoint's is that of the file it was made of. */
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

import { hash } from "node:crypto"
import { lstatSync, type Stats } from "node:fs"
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
import { readUsageLine, type UsageLine } from "./readUsageLine.ts"

/** How far a transcript has been counted; kept between scans and across restarts. */
export interface TranscriptState extends ReadPosition {
  /** The folder's path. */
  readonly folder: string
  /** File name in the folder. */
  readonly name: string
  readonly agent: string
  /** When the newest counted line was written (ISO 8601), empty before the first. */
  readonly newest: string
}

/** A transcript to read. */
export interface ChangedTranscript {
  readonly folder: string
  readonly name: string
  readonly agent: string
  readonly session: string
  /** Its last state, under whatever name; `undefined` for one that's read from its beginning. */
  readonly before: TranscriptState | undefined
}

/** What's done with a transcript's answers while it's read. */
export interface AnswerReader {
  /** Called once, before the first answer: whether the answers follow those that were read before. */
  readonly begin: (continues: boolean) => void
  /** `key` is the same for every copy of an answer. */
  readonly answer: (line: UsageLine, key: number) => void
}

/** Of the hash, as many bits as a whole number keeps exactly. */
const HIGH_BYTES = 6
const LOW_BITS = 0x1f

/**
 * What an answer is known by, in whichever file it stands. The gateway's ids are short and only unique within their
 * conversation, so the time and what was used belong to it. A whole number below 2^53; among a million answers, two
 * different ones share one once in 18,000 cases.
 */
const answerKey = (id: string, line: UsageLine): number => {
  const { writtenAt, provider, model, input, output, cacheRead, cacheWrite, nanoDollars } = line
  const about = [id, writtenAt, provider, model, input, output, cacheRead, cacheWrite, nanoDollars]
  const bytes = hash("sha1", about.join("\n"), "buffer")
  return bytes.readUIntBE(0, HIGH_BYTES) * (LOW_BITS + 1) + (bytes.readUInt8(HIGH_BYTES) & LOW_BITS)
}

/**
 * Reads what was appended to a transcript since its last state, or all of it if it's new, shorter or a different file.
 * Throws if the file can't be opened or read.
 */
export const readTranscript = (path: string, transcript: ChangedTranscript, reader: AnswerReader): TranscriptState => {
  const { folder, name, agent, session, before } = transcript
  let newest = ""
  const position = readAppended(path, before, (continues) => {
    reader.begin(continues)
    if (continues) newest = before?.newest ?? ""
    return (buffer, start, end) => {
      const line = readUsageLine(buffer, start, end)
      if (line === undefined) return undefined
      const lineId = () => `${agent}/${session}\n${buffer.toString("latin1", start, end)}`
      reader.answer(line, answerKey(line.id ?? lineId(), line))
      if (line.writtenAt > newest) newest = line.writtenAt
      return undefined
    }
  })
  return { folder, name, agent, ...position, newest }
}

/** A transcript that no longer exists. */
export interface GoneTranscript {
  readonly folder: string
  readonly name: string
}

interface Listed {
  readonly name: string
  readonly info: Stats
}

/** Archived files first, copies that the gateway made last: an answer belongs to the session that had it first. */
const rank = (name: string): number => (isLive(name) ? (isCheckpoint(name) ? 2 : 1) : 0)

const byAge = (a: Listed, b: Listed): number =>
  rank(a.name) - rank(b.name) ||
  (isLive(a.name) ? a.info.birthtimeMs - b.info.birthtimeMs : 0) ||
  (a.name < b.name ? -1 : Number(a.name > b.name))

/** How far every transcript has been read, in memory; a scan costs one `lstat` per unchanged file. */
export class TranscriptIndex {
  readonly #folders = new Map<string, Map<string, TranscriptState>>()

  constructor(states: ReadonlyArray<TranscriptState>) {
    for (const state of states) this.#statesIn(state.folder).set(state.name, state)
  }

  /**
   * Calls back with each transcript of a folder that has changed; the callback reads it and returns its new state, or
   * `undefined` if it couldn't. The result lists what's gone.
   */
  scan(
    folder: TranscriptFolder,
    read: (transcript: ChangedTranscript) => TranscriptState | undefined
  ): ReadonlyArray<GoneTranscript> {
    const states = this.#statesIn(folder.path)
    const names = transcriptsIn(folder.path)
    if (names === undefined) return []
    const present = new Set(names)
    const files = names.flatMap((name): ReadonlyArray<Listed> => {
      const info = lstatSync(`${folder.path}/${name}`, { throwIfNoEntry: false })
      // Only regular files: a symbolic link may lead out of the folder, and its target inside is read anyway.
      return info?.isFile() ? [{ name, info }] : []
    })
    for (const file of files.sort(byAge)) this.#look(folder, file, states, read)
    const gone = [...states.keys()].filter((name) => !present.has(name))
    for (const name of gone) states.delete(name)
    return gone.map((name) => ({ folder: folder.path, name }))
  }

  /** Has a transcript read from its beginning by the next scan. */
  readAgain(folder: string, name: string): void {
    this.#statesIn(folder).delete(name)
  }

  #statesIn(folder: string): Map<string, TranscriptState> {
    const known = this.#folders.get(folder)
    if (known !== undefined) return known
    const made = new Map<string, TranscriptState>()
    this.#folders.set(folder, made)
    return made
  }

  #look(
    folder: TranscriptFolder,
    { name, info }: Listed,
    states: Map<string, TranscriptState>,
    read: (transcript: ChangedTranscript) => TranscriptState | undefined
  ): void {
    const known = states.get(name)
    if (known !== undefined && isUnchanged(known, info)) return
    const session = sessionOf(name) ?? name
    const before = known ?? this.#formerState(session, info.ino, states)
    const state = read({ folder: folder.path, name, agent: folder.agent, session, before })
    // Gone or unreadable: the next scan tries again.
    if (state === undefined) return
    if (before !== undefined && before.name !== name) states.delete(before.name)
    states.set(name, state)
  }

  /** The state of the same session's file under its former name. */
  #formerState(session: string, inode: number, states: Map<string, TranscriptState>): TranscriptState | undefined {
    const former = states.get(`${session}.jsonl`)
    return former?.inode === inode ? former : undefined
  }
}

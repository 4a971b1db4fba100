import { lstatSync, type Stats } from "node:fs"
import { isUnchanged } from "../../transcripts/readAppended.ts"
import type { TranscriptFolder } from "../../transcripts/transcriptFolders.ts"
import { isCheckpoint, isLive, sessionOf, transcriptsIn } from "../../transcripts/transcriptNames.ts"
import type { ChangedTranscript, TranscriptState } from "./readTranscript.ts"

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
    const own = states.get(name)
    if (own !== undefined && isUnchanged(own, info)) return
    const session = sessionOf(name) ?? name
    const before = own ?? this.#formerState(session, info.ino, states)
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

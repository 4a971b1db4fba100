import { lstatSync, readdirSync } from "node:fs"
import * as Result from "effect/Result"
import { readTranscript } from "./readTranscript.ts"
import {
  isLive,
  sessionOf,
  type TranscriptChange,
  type TranscriptFolder,
  type TranscriptState
} from "./TranscriptState.ts"

/** Where a scan continues after a restart. */
export interface IndexSeed {
  readonly states: ReadonlyArray<TranscriptState>
  /** When the newest line ever counted for each session was written, set-aside and deleted transcripts included. */
  readonly sessions: ReadonlyArray<{ readonly agent: string; readonly session: string; readonly newest: string }>
}

/** A transcript that no longer exists. */
export interface GoneTranscript {
  readonly folder: string
  readonly name: string
}

const sessionKey = (agent: string, session: string) => `${agent}/${session}`

// Archived files are older than those in use, and their names contain the time, so a session's lines come in order.
const byAge = (a: string, b: string): number => Number(isLive(a)) - Number(isLive(b)) || (a < b ? -1 : Number(a > b))

/** How far every transcript has been read, in memory; a scan costs one `lstat` per unchanged file. */
export class TranscriptIndex {
  readonly #folders = new Map<string, Map<string, TranscriptState>>()
  readonly #sessions = new Map<string, string>()

  constructor(seed: IndexSeed) {
    for (const state of seed.states) this.#statesIn(state.folder).set(state.name, state)
    for (const { agent, session, newest } of seed.sessions) this.#sessions.set(sessionKey(agent, session), newest)
  }

  /** Reads what changed in one folder; `visit` gets each change, and the result lists what's gone. */
  scan(folder: TranscriptFolder, visit: (change: TranscriptChange) => void): ReadonlyArray<GoneTranscript> {
    const states = this.#statesIn(folder.path)
    const listed = Result.try(() => readdirSync(folder.path))
    if (Result.isFailure(listed)) return []
    const present = new Set(listed.success)
    for (const name of listed.success.filter((entry) => sessionOf(entry) !== undefined).sort(byAge)) {
      this.#look(folder, name, states, visit)
    }
    const gone = [...states.keys()].filter((name) => !present.has(name))
    for (const name of gone) states.delete(name)
    return gone.map((name) => ({ folder: folder.path, name }))
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
    name: string,
    states: Map<string, TranscriptState>,
    visit: (change: TranscriptChange) => void
  ): void {
    const path = `${folder.path}/${name}`
    const info = lstatSync(path, { throwIfNoEntry: false })
    // Only regular files: a symbolic link may lead out of the folder, and its target inside is read anyway.
    if (info === undefined || !info.isFile()) return
    const own = states.get(name)
    if (own !== undefined && own.inode === info.ino && own.size === info.size && own.mtimeMs === info.mtimeMs) return
    const session = sessionOf(name) ?? name
    const key = sessionKey(folder.agent, session)
    const before = own ?? this.#formerState(session, info.ino, states)
    const change = Result.try(() =>
      readTranscript(path, {
        folder: folder.path,
        name,
        agent: folder.agent,
        before,
        sessionNewest: this.#sessions.get(key) ?? ""
      })
    )
    // Gone or unreadable: the next scan tries again.
    if (Result.isFailure(change)) return
    const { state, formerName } = change.success
    if (formerName !== undefined) states.delete(formerName)
    states.set(name, state)
    if (state.newest > (this.#sessions.get(key) ?? "")) this.#sessions.set(key, state.newest)
    visit(change.success)
  }

  /** The state of the same session's file under its former name. */
  #formerState(session: string, inode: number, states: Map<string, TranscriptState>): TranscriptState | undefined {
    const former = states.get(`${session}.jsonl`)
    return former?.inode === inode ? former : undefined
  }
}

import type { UsageRow } from "../UsageRow.ts"

/** How far one transcript has been read; kept between scans and over restarts (D60). */
export interface TranscriptState {
  /** The folder's path. */
  readonly folder: string
  /** File name in the folder. */
  readonly name: string
  readonly agent: string
  readonly inode: number
  /** Bytes of the file when it was looked at last. */
  readonly size: number
  /** Modification time, in epoch milliseconds with a fraction. */
  readonly mtimeMs: number
  /** Bytes read so far: the end of the last whole line. */
  readonly offset: number
  /** The last bytes before `offset`, in base64: they change when somebody rewrites the file. */
  readonly tail: string
  /** When the newest counted line was written (ISO 8601), empty before the first. */
  readonly newest: string
}

/** What one scan found in one transcript. */
export interface TranscriptChange {
  readonly state: TranscriptState
  /** The name under which the file was known before it was set aside. */
  readonly formerName: string | undefined
  /** Whether `rows` replace what was counted for this file instead of adding to it. */
  readonly replaces: boolean
  readonly rows: ReadonlyArray<UsageRow>
  /** The part of `rows` that no earlier reading of this session has counted; adds to what is kept for ever. */
  readonly fresh: ReadonlyArray<UsageRow>
}

/** One folder of transcripts and the agent they belong to. */
export interface TranscriptFolder {
  readonly path: string
  readonly agent: string
}

const SET_ASIDE = /^(.+)\.jsonl\.(?:reset|deleted)\.[^/]*$/
const ENDING = ".jsonl"

/** The session a transcript's file name tells, set-aside transcripts included; `undefined` for other files. */
export const sessionOf = (name: string): string | undefined => {
  if (name.endsWith(ENDING) && name.length > ENDING.length) return name.slice(0, -ENDING.length)
  return name.endsWith(".zst") ? undefined : SET_ASIDE.exec(name)?.[1]
}

/** Whether a transcript is in use: not set aside by a reset or a deletion. */
export const isLive = (name: string): boolean => name.endsWith(ENDING)

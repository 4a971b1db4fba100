/** How far a transcript has been read; kept between scans and across restarts. */
export interface TranscriptState {
  /** The folder's path. */
  readonly folder: string
  /** File name in the folder. */
  readonly name: string
  readonly agent: string
  readonly inode: number
  /** The file's size in bytes when last checked. */
  readonly size: number
  /** Modification time, in epoch milliseconds with a fraction. */
  readonly mtimeMs: number
  /** Bytes read so far: the end of the last whole line. */
  readonly offset: number
  /** The last bytes before `offset`, in base64: they change if the file is rewritten. */
  readonly tail: string
  /** When the newest counted line was written (ISO 8601), empty before the first. */
  readonly newest: string
}

/** One folder of transcripts and the agent they belong to. */
export interface TranscriptFolder {
  readonly path: string
  readonly agent: string
}

const SET_ASIDE = /^(.+)\.jsonl\.(?:reset|deleted)\.[^/]*$/
const ENDING = ".jsonl"

/** The gateway copies a transcript before it shortens it. */
const CHECKPOINT = /^(.+)\.checkpoint\.[^.]+$/

const withoutEnding = (name: string): string | undefined => {
  if (name.endsWith(ENDING) && name.length > ENDING.length) return name.slice(0, -ENDING.length)
  return name.endsWith(".zst") ? undefined : SET_ASIDE.exec(name)?.[1]
}

/** The session a checkpoint was made of, by its name without the ending; `undefined` for what is none. */
export const checkpointOf = (name: string): string | undefined => CHECKPOINT.exec(name)?.[1]

/** The session in a transcript's file name, including archived ones and checkpoints; `undefined` for other files. */
export const sessionOf = (name: string): string | undefined => {
  const stem = withoutEnding(name)
  return stem === undefined ? undefined : (checkpointOf(stem) ?? stem)
}

/** Whether a transcript is in use, not archived by a reset or deletion. */
export const isLive = (name: string): boolean => name.endsWith(ENDING)

/** Whether it's a copy that the gateway made of a transcript. */
export const isCheckpoint = (name: string): boolean => {
  const stem = withoutEnding(name)
  return stem !== undefined && checkpointOf(stem) !== undefined
}

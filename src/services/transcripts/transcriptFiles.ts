import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, type Stats } from "node:fs"
// Imported from its own module, so the reading threads start without the rest of the library.
import * as Result from "effect/Result"

/** How far a file has been read. */
export interface ReadPosition {
  readonly inode: number
  /** The file's size in bytes when it was last read. */
  readonly size: number
  /** Modification time, in epoch milliseconds with a fraction. */
  readonly mtimeMs: number
  /** Bytes read so far: the end of the last whole line. */
  readonly offset: number
  /** The last bytes before `offset`, in base64: they change if the file is rewritten. */
  readonly tail: string
}

/** Takes the line `[start, end)` of a buffer; `false` ends the reading after it. */
export type LineVisitor = (buffer: Buffer, start: number, end: number) => boolean | undefined

const NEWLINE = 0x0a
const CHUNK = 1024 * 1024
/** Longer lines are skipped: no answer is that long, and memory stays bounded. */
const MAX_LINE = 64 * CHUNK
/** How many bytes before the offset identify the file as unchanged. */
const TAIL = 64

const shared = Buffer.allocUnsafeSlow(CHUNK)

/** Visits every complete line from an offset and returns the offset after the last one. */
const eachLine = (fd: number, from: number, visit: LineVisitor): number => {
  let buffer = shared
  let filled = 0
  let done = from
  let skipping = false
  for (;;) {
    if (filled === buffer.length) {
      if (buffer.length < MAX_LINE) {
        const larger = Buffer.allocUnsafeSlow(buffer.length * 2)
        buffer.copy(larger, 0, 0, filled)
        buffer = larger
      } else {
        done += filled
        filled = 0
        skipping = true
      }
    }
    const read = readSync(fd, buffer, filled, buffer.length - filled, done + filled)
    if (read === 0) return done
    const end = filled + read
    const last = buffer.subarray(filled, end).lastIndexOf(NEWLINE)
    if (last === -1) {
      filled = end
      continue
    }
    const whole = filled + last + 1
    let start = 0
    while (start < whole) {
      const newline = buffer.indexOf(NEWLINE, start)
      const goesOn = skipping || newline === start || visit(buffer, start, newline) !== false
      skipping = false
      start = newline + 1
      if (!goesOn) return done + start
    }
    buffer.copyWithin(0, whole, end)
    done += whole
    filled = end - whole
  }
}

/** What stands before an offset; it changes if the file is rewritten. */
const tailBefore = (fd: number, offset: number): string => {
  const length = Math.min(TAIL, offset)
  const bytes = Buffer.alloc(length)
  const read = readSync(fd, bytes, 0, length, offset - length)
  return bytes.toString("base64", 0, read)
}

/** Whether a file is the one that was read last and hasn't changed since. */
export const isUnchanged = (before: ReadPosition, { ino, mtimeMs, size }: Stats): boolean =>
  before.inode === ino && before.size === size && before.mtimeMs === mtimeMs

/**
 * Reads the lines that were appended to a file since its last position, or all lines if it's new, shorter or a different
 * file; `begin` gets which of both it is, and returns what takes the lines. Throws if the file can't be opened or read.
 */
export const readAppended = (
  path: string,
  before: ReadPosition | undefined,
  begin: (continues: boolean) => LineVisitor
): ReadPosition => {
  // The system rejects a symbolic link that replaced the file between listing and opening.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  const position = Result.try(() => {
    const { ino, size, mtimeMs } = fstatSync(fd)
    const continues =
      before !== undefined &&
      before.inode === ino &&
      size >= before.offset &&
      tailBefore(fd, before.offset) === before.tail
    const offset = eachLine(fd, continues ? before.offset : 0, begin(continues))
    return { inode: ino, size, mtimeMs, offset, tail: tailBefore(fd, offset) }
  })
  closeSync(fd)
  return Result.getOrThrow(position)
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

/** The names of a folder's transcripts; `undefined` for a folder that can't be listed. */
export const transcriptsIn = (folder: string): ReadonlyArray<string> | undefined =>
  Result.getOrUndefined(Result.try(() => readdirSync(folder)))?.filter((name) => sessionOf(name) !== undefined)

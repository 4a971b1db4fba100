import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs"
import * as Result from "effect/Result"
import { answerKey } from "./answerKey.ts"
import { readUsageLine, type UsageLine } from "./readUsageLine.ts"
import type { TranscriptState } from "./TranscriptState.ts"

const NEWLINE = 0x0a
const CHUNK = 1024 * 1024
/** Longer lines are skipped: no answer is that long, and memory stays bounded. */
const MAX_LINE = 64 * CHUNK
/** How many bytes before the offset identify the file as unchanged. */
const TAIL = 64

const shared = Buffer.allocUnsafeSlow(CHUNK)

/**
 * Calls back with every complete line from an offset and returns the offset after the last one; a callback that answers
 * `false` ends it after its line.
 */
export const eachLine = (
  fd: number,
  from: number,
  visit: (buffer: Buffer, start: number, end: number) => boolean | undefined
): number => {
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
export const tailBefore = (fd: number, offset: number): string => {
  const length = Math.min(TAIL, offset)
  const bytes = Buffer.alloc(length)
  const read = readSync(fd, bytes, 0, length, offset - length)
  return bytes.toString("base64", 0, read)
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

const readOpen = (fd: number, transcript: ChangedTranscript, reader: AnswerReader): TranscriptState => {
  const { folder, name, agent, session, before } = transcript
  const { ino, size, mtimeMs } = fstatSync(fd)
  const continues =
    before !== undefined &&
    before.inode === ino &&
    size >= before.offset &&
    tailBefore(fd, before.offset) === before.tail
  reader.begin(continues)
  let newest = continues ? before.newest : ""
  const offset = eachLine(fd, continues ? before.offset : 0, (buffer, start, end) => {
    const line = readUsageLine(buffer, start, end)
    if (line === undefined) return undefined
    const own = () => `${agent}/${session}\n${buffer.toString("latin1", start, end)}`
    reader.answer(line, answerKey(line.id ?? own(), line))
    if (line.writtenAt > newest) newest = line.writtenAt
    return undefined
  })
  return { folder, name, agent, inode: ino, size, mtimeMs, offset, tail: tailBefore(fd, offset), newest }
}

/**
 * Reads what was appended to a transcript since its last state, or all of it if it's new, shorter or a different file.
 * Throws if the file can't be opened or read.
 */
export const readTranscript = (path: string, transcript: ChangedTranscript, reader: AnswerReader): TranscriptState => {
  // The system rejects a symbolic link that replaced the file between listing and opening.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  const state = Result.try(() => readOpen(fd, transcript, reader))
  closeSync(fd)
  return Result.getOrThrow(state)
}

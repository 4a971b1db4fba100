import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs"
import * as Result from "effect/Result"
import type { UsageRow, UsageSums } from "../UsageRow.ts"
import { readUsageLine, type UsageLine } from "./readUsageLine.ts"
import type { TranscriptChange, TranscriptState } from "./TranscriptState.ts"

const NEWLINE = 0x0a
const CHUNK = 1024 * 1024
/** Longer lines are skipped: no answer is that long, and memory stays bounded. */
const MAX_LINE = 64 * CHUNK
/** How many bytes before the offset identify the file as unchanged. */
const TAIL = 64

type Mutable<A> = { -readonly [K in keyof A]: A[K] }

/** Adds up lines with the same day, model and pricing. */
class Tally {
  readonly #rows = new Map<string, Mutable<UsageRow>>()

  add(line: UsageLine): void {
    const key = `${line.day}\n${line.provider}\n${line.model}\n${line.priced}`
    const row = this.#rows.get(key)
    if (row === undefined) {
      const { writtenAt: _, ...first } = line
      this.#rows.set(key, first)
    } else addSums(row, line)
  }

  get rows(): ReadonlyArray<UsageRow> {
    return [...this.#rows.values()]
  }
}

const addSums = (sum: Mutable<UsageSums>, more: UsageSums): void => {
  sum.messages += more.messages
  sum.errors += more.errors
  sum.input += more.input
  sum.output += more.output
  sum.cacheRead += more.cacheRead
  sum.cacheWrite += more.cacheWrite
  sum.nanoDollars += more.nanoDollars
}

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

/** What's known about a transcript before reading it. */
export interface KnownTranscript {
  readonly folder: string
  readonly name: string
  readonly agent: string
  /** Its last state, under whatever name; `undefined` for a new file. */
  readonly before: TranscriptState | undefined
  /** When the newest line ever counted for its session was written, empty for a new session. */
  readonly sessionNewest: string
}

const readOpen = (fd: number, known: KnownTranscript): TranscriptChange => {
  const { before } = known
  const { ino, size, mtimeMs } = fstatSync(fd)
  const continues =
    before !== undefined &&
    before.inode === ino &&
    size >= before.offset &&
    tailBefore(fd, before.offset) === before.tail
  const from = continues ? before.offset : 0
  const rows = new Tally()
  const fresh = new Tally()
  let newest = continues ? before.newest : ""
  const offset = eachLine(fd, from, (buffer, start, end) => {
    const line = readUsageLine(buffer, start, end)
    if (line === undefined) return undefined
    rows.add(line)
    if (continues || line.writtenAt > known.sessionNewest) fresh.add(line)
    if (line.writtenAt > newest) newest = line.writtenAt
    return undefined
  })
  const { folder, name, agent } = known
  return {
    state: { folder, name, agent, inode: ino, size, mtimeMs, offset, tail: tailBefore(fd, offset), newest },
    formerName: before === undefined || before.name === name ? undefined : before.name,
    replaces: !continues,
    rows: rows.rows,
    fresh: fresh.rows
  }
}

/**
 * Reads what was appended to a transcript since its last state, or all of it if it's new, shorter or a different file.
 * Lines of a session counted before, in this file or another, aren't `fresh`. Throws if the file can't be opened or
 * read.
 */
export const readTranscript = (path: string, known: KnownTranscript): TranscriptChange => {
  // The system rejects a symbolic link that replaced the file between listing and opening.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  const change = Result.try(() => readOpen(fd, known))
  closeSync(fd)
  return Result.getOrThrow(change)
}

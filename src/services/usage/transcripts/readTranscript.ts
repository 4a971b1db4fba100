import { hash } from "node:crypto"
import { type ReadPosition, readAppended } from "../../transcripts/readAppended.ts"
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
      const own = () => `${agent}/${session}\n${buffer.toString("latin1", start, end)}`
      reader.answer(line, answerKey(line.id ?? own(), line))
      if (line.writtenAt > newest) newest = line.writtenAt
      return undefined
    }
  })
  return { folder, name, agent, ...position, newest }
}

import { Option, Schema } from "effect"
import type { HistoryEntry } from "./history/chatHistory.ts"
import { messageOf } from "./turn/olderPages.ts"
import type { Timeline } from "./turn/timeline.ts"

/** Where the messages before a page end. */
export interface OlderCursor {
  /** How many messages back from the session's end the page begins, at least. */
  readonly offset: number
  /** How many messages there are from its first one on, at least. */
  readonly count: number
  /** The id of its first message, and when that was written. */
  readonly first: string
  readonly at: number | null
}

const Packed = Schema.fromJsonString(
  Schema.Tuple([Schema.Int, Schema.Int, Schema.String, Schema.NullOr(Schema.Finite)])
)
const decodePacked = Schema.decodeUnknownOption(Packed)

export const packCursor = ({ at, count, first, offset }: OlderCursor): string =>
  Buffer.from(JSON.stringify([offset, count, first, at])).toString("base64url")

/** Reads a cursor that a client gives back; `undefined` for a damaged one. */
export const unpackCursor = (text: string): OlderCursor | undefined => {
  const packed = Option.getOrUndefined(decodePacked(Buffer.from(text, "base64url").toString()))
  if (packed === undefined) return undefined
  const [offset, count, first, at] = packed
  return offset < 0 || count < 0 ? undefined : { offset, count, first, at }
}

interface Placed {
  readonly item: HistoryEntry["item"]
  readonly source: string | null
}

/** Whether a tool's call is in an earlier message: its result alone would show no arguments. */
const isLone = ({ item, source }: Placed): boolean => item.kind === "tool" && item.args === null && source !== null

/** Entries from the first on that doesn't need what comes before it. */
export const withoutLoneResults = <E extends Placed>(entries: ReadonlyArray<E>): ReadonlyArray<E> => {
  const first = entries.findIndex((entry) => !isLone(entry))
  return first <= 0 ? entries : entries.slice(first)
}

/** The different messages that entries are from. */
export const messagesOf = (entries: ReadonlyArray<{ readonly source: string | null }>): number =>
  new Set(entries.flatMap(({ source }) => (source === null ? [] : [messageOf(source)]))).size

/** The cursor of what comes before these entries; `undefined` if the gateway has none of them. */
export const cursorBefore = (timeline: Timeline): string | undefined => {
  const first = timeline.find(({ source }) => source !== null)
  if (first?.source == null) return undefined
  // Only part of the oldest message may be there.
  const count = Math.max(0, messagesOf(timeline) - 1)
  return packCursor({ offset: 0, count, first: messageOf(first.source), at: first.item.at })
}

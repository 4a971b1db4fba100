import { numberOf, parseJson, recordOf, recordsOf, textOf } from "../../../../src/contract/looseFields.ts"
import type { KeyValueStorage } from "../link/Environment.ts"
import type { ChatItem, ChatStore } from "./chatTypes.ts"

const KEY = "agent-console:reading"
/** Sessions remembered, the latest first. */
const MAX = 60

/** A message as it's found again after a reload. */
export interface MessagePlace {
  /** Its id in the gateway's history; null if nobody knows. */
  readonly id: string | null
  /** Which of the items that the message became. */
  readonly part: number
  /** Epoch milliseconds; 0 when unknown. */
  readonly at: number
}

/** Where somebody was in a session when they left it. */
export interface ReadingPlace {
  /** The first message in view, and how far its top was below that of the log in pixels; null at the end. */
  readonly top: (MessagePlace & { readonly offset: number }) | null
  /** The newest message that was there. */
  readonly last: MessagePlace
}

interface Kept extends ReadingPlace {
  readonly session: string
}

const placeIn = (value: unknown): MessagePlace | null => {
  const fields = recordOf<MessagePlace>(value)
  return fields === null
    ? null
    : { id: textOf(fields.id), part: numberOf(fields.part) ?? 0, at: numberOf(fields.at) ?? 0 }
}

const keptPlaces = (storage: KeyValueStorage): ReadonlyArray<Kept> =>
  recordsOf(parseJson(storage.getItem(KEY) ?? "")).flatMap(({ session, top, last }) => {
    const key = textOf(session)
    const newest = placeIn(last)
    const first = placeIn(top)
    if (key === null || newest === null) return []
    return [
      {
        session: key,
        top: first === null ? null : { ...first, offset: numberOf(recordOf(top)?.offset) ?? 0 },
        last: newest
      }
    ]
  })

/** Where this device's reader left a session; null if they never did. */
export const readingPlace = (storage: KeyValueStorage, session: string): ReadingPlace | null =>
  keptPlaces(storage).find((kept) => kept.session === session) ?? null

/** Remembers where somebody leaves a session. */
export const keepReadingPlace = (storage: KeyValueStorage, session: string, place: ReadingPlace): void => {
  const others = keptPlaces(storage).filter((kept) => kept.session !== session)
  storage.setItem(KEY, JSON.stringify([{ session, ...place }, ...others].slice(0, MAX)))
}

type Messages = Pick<ChatStore, "state" | "keysOf" | "messageOf">

/** How an item on screen is found again later. */
export const placeOf = (chat: Messages, item: ChatItem): MessagePlace => {
  const id = chat.messageOf(item.key)
  const part = id === null ? 0 : Math.max(0, chat.keysOf(id).indexOf(item.key))
  return { id, part, at: item.at ?? 0 }
}

/** The loaded item at a place; otherwise the nearest one in time, or null while older ones must be loaded first. */
export const itemAt = (chat: Messages, { id, part, at }: MessagePlace): string | null => {
  const { items, hasOlder } = chat.state.get()
  const keys = id === null ? [] : chat.keysOf(id)
  const key = keys[Math.min(part, keys.length - 1)]
  if (key !== undefined) return key
  const timed = items.filter((item) => item.at !== null)
  const first = timed[0]?.at ?? Number.POSITIVE_INFINITY
  if (hasOlder && first > at) return null
  return (timed.findLast((item) => (item.at ?? 0) <= at) ?? timed[0])?.key ?? null
}

/** What has come since the newest message that was there: the first of it, and how much it is. */
export const newSince = (
  chat: Messages,
  last: MessagePlace
): { readonly key: string; readonly count: number } | null => {
  const { items } = chat.state.get()
  const known = new Set(last.id === null ? [] : chat.keysOf(last.id))
  const seen = items.findLastIndex(({ key }) => known.has(key))
  const from = seen < 0 ? items.findIndex(({ at }) => at !== null && at > last.at) : seen + 1
  const first = from < 0 ? undefined : items[from]
  return first === undefined ? null : { key: first.key, count: items.length - from }
}

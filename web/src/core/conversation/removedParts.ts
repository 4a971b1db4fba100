import { listOf, numberOf, parseJson, recordOf, textOf } from "../../../../src/contract/looseFields.ts"
import { say } from "../language/say.ts"
import type { KeyValueStorage } from "../link/Environment.ts"
import type { GatewayLink } from "../link/linkTypes.ts"
import type { ChatItem } from "./chatTypes.ts"
import { exportMarkdown } from "./exportMarkdown.ts"
import { messagesIn } from "./messagesIn.ts"
import { keepsVersions } from "./versions/keepsVersions.ts"

/** A part of a conversation that the gateway no longer shows, as this browser keeps it. */
export interface RemovedPart {
  readonly sessionKey: string
  /** When it was removed, epoch milliseconds. */
  readonly at: number
  /** The number of its messages. */
  readonly messages: number
  /** The part as markdown. */
  readonly text: string
}

const KEY = "agent-console:removed"
/** Characters of one part, and of all of them; browsers give a page about five million. */
const MAX_PART = 200_000
const MAX_SIZE = 600_000
const MAX_PARTS = 30
const CUT = "\n\n*The rest was too long to keep.*\n"

const decoded = (entry: unknown): ReadonlyArray<RemovedPart> => {
  const fields = recordOf(entry)
  const sessionKey = textOf(fields?.sessionKey)
  const text = textOf(fields?.text)
  if (sessionKey === null || text === null) return []
  return [{ sessionKey, text, at: numberOf(fields?.at) ?? 0, messages: numberOf(fields?.messages) ?? 0 }]
}

const read = (storage: KeyValueStorage): ReadonlyArray<RemovedPart> =>
  listOf(parseJson(storage.getItem(KEY) ?? "")).flatMap(decoded)

/** The newest parts that fit, newest first. */
const fitting = (parts: ReadonlyArray<RemovedPart>): ReadonlyArray<RemovedPart> => {
  let size = 0
  return parts.slice(0, MAX_PARTS).filter(({ text }) => {
    size += text.length
    return size <= MAX_SIZE
  })
}

/** The kept parts of a session, newest first. */
export const removedParts = (storage: KeyValueStorage, sessionKey: string): ReadonlyArray<RemovedPart> =>
  read(storage).filter((part) => part.sessionKey === sessionKey)

/** Keeps what is removed from a conversation, in place of the oldest parts if there is no room; false if it can't. */
export function keepRemoved(
  storage: KeyValueStorage,
  sessionKey: string,
  at: number,
  items: ReadonlyArray<ChatItem>
): boolean {
  if (items.length === 0) return true
  const whole = exportMarkdown(say("Removed messages"), items)
  const text = whole.length > MAX_PART ? `${whole.slice(0, MAX_PART)}${CUT}` : whole
  const part = { sessionKey, at, messages: messagesIn(items), text }
  return store(storage, [part, ...read(storage)])
}

/** The same for what a gateway removes when a question is asked again, unless it keeps that itself. */
export const keepLost = (link: Pick<GatewayLink, "hello">, ...removed: Parameters<typeof keepRemoved>): boolean =>
  keepsVersions(link) || keepRemoved(...removed)

/** Stores as many parts as there is room for; false if that is none. */
function store(storage: KeyValueStorage, parts: ReadonlyArray<RemovedPart>): boolean {
  for (let kept = fitting(parts); kept.length > 0; kept = kept.slice(0, -1))
    try {
      storage.setItem(KEY, JSON.stringify(kept))
      return true
    } catch {
      // Without the oldest one it may fit.
    }
  return false
}

const isSame = (one: RemovedPart, other: RemovedPart): boolean =>
  one.sessionKey === other.sessionKey && one.at === other.at && one.text === other.text

/** Deletes a kept part. */
export function forgetRemoved(storage: KeyValueStorage, part: RemovedPart): void {
  storage.setItem(KEY, JSON.stringify(read(storage).filter((other) => !isSame(part, other))))
}

/** Keeps a part again that was deleted, in its former place; false if there is no room any more. */
export const restoreRemoved = (storage: KeyValueStorage, part: RemovedPart): boolean =>
  store(
    storage,
    [part, ...read(storage).filter((other) => !isSame(part, other))].toSorted((a, b) => b.at - a.at)
  )

import type { Failure } from "../../../contract/failure.ts"
import { conversationFailure } from "../../../contract/failures/conversation.ts"
import type { ChatItem, Delivery, UserItem } from "./chatItems.ts"
import type { MessageState, OutgoingImage } from "./outgoing.ts"

/** What this page knows about a message of the outbox, besides what is on screen. */
interface Outgoing {
  /** Its id in the outbox. */
  readonly id: string
  /** The pictures that come with it, if they were attached on this page. */
  readonly images: ReadonlyArray<OutgoingImage>
  /** How it stands there; null once the outbox is done with it. */
  readonly state: MessageState | null
}

/** An item on screen, and where it comes from. */
export interface Entry {
  readonly item: ChatItem
  /** Where it was found in the gateway's history; null while it is only known from events or from this page. */
  readonly source: string | null
  /** The run it belongs to; for a user message the run it requests. */
  readonly runId: string | null
  /** For a message that goes or went through the outbox. */
  readonly outgoing?: Outgoing | undefined
}

/** What is on screen, oldest first. */
export type Timeline = ReadonlyArray<Entry>

/** Whether a message waits at the console, or on this page until the console has it. */
export const isHeld = ({ item, outgoing }: Entry): boolean =>
  item.kind === "user" &&
  (item.delivery === "held" ||
    (item.delivery === "sending" && (outgoing?.state === "taking" || outgoing?.state === "away")))

/** Whether a message is waiting for the running turn to end. */
export const waits = (item: ChatItem): boolean =>
  item.kind === "user" && (item.delivery === "queued" || item.delivery === "held")

/** Whether a message is on its way to a turn of its own. */
export const isComing = (item: ChatItem): boolean =>
  waits(item) || (item.kind === "user" && item.delivery === "sending")

/** Whether a message was given back by the console, which keeps it until somebody decides. */
const isGivenBack = (item: ChatItem): boolean =>
  item.kind === "user" && item.waits !== undefined && (item.delivery === "failed" || item.delivery === "unsure")

/** Adds an item where a running turn grows: after everything but the messages that aren't part of it. */
export function append(timeline: Timeline, entry: Entry): Timeline {
  const index = timeline.findLastIndex((entry) => !waits(entry.item) && !isHeld(entry) && !isGivenBack(entry.item))
  return timeline.toSpliced(index + 1, 0, entry)
}

/**
 * The timeline with another delivery state for the user messages `which` picks; the same timeline if there are none.
 */
export function withDelivery(
  timeline: Timeline,
  which: (item: UserItem, entry: Entry) => boolean,
  delivery: Delivery,
  error: Failure | null = null
): Timeline {
  let changed = false
  const next = timeline.map((entry) => {
    const { item } = entry
    if (item.kind !== "user" || item.delivery === delivery || !which(item, entry)) return entry
    changed = true
    return { ...entry, item: { ...item, delivery, error } }
  })
  return changed ? next : timeline
}

/** A message that goes through the outbox, or that only events have told of. The run id is its idempotency key. */
export interface OwnEntry extends Entry {
  readonly item: UserItem
  readonly runId: string
  readonly outgoing: Outgoing
}

export const NOT_READ = conversationFailure("STOPPED_UNREAD")
export const FORGOTTEN = conversationFailure("MESSAGE_LOST")
export const UNANSWERED = conversationFailure("MESSAGE_UNANSWERED")
export const RESTARTED = conversationFailure("RESPONSE_CUT_OFF")

/** A message that the console may not have yet. */
export const ownEntry = (id: string, text: string, images: ReadonlyArray<OutgoingImage>, at: number): OwnEntry => ({
  item: {
    kind: "user",
    key: `u:${id}`,
    at,
    text,
    images: images.map(({ fileName, mimeType, content }) => ({
      name: fileName,
      src: `data:${mimeType};base64,${content}`
    })),
    delivery: "sending",
    error: null
  },
  source: null,
  runId: id,
  outgoing: { id, images, state: null }
})

import type { Delivery, OutgoingImage, UserItem } from "./chatTypes.ts"
import type { Entry } from "./liveTurn.ts"

/** A message of this page until the history holds it. */
export interface Outgoing {
  readonly text: string
  readonly images: ReadonlyArray<OutgoingImage>
  /** The gateway may or may not have it: the link broke or it did not answer in time. */
  unsure: boolean
  /** The gateway said no, so another attempt needs a key of its own (it remembers answers by key). */
  refused: boolean
}

export const NOT_CONFIRMED = "The connection broke before the gateway confirmed this message."
export const NOT_READ = "Stopped before the agent read it."
export const FORGOTTEN = "The gateway no longer has this message, and the agent has not read it."
export const AFTER_FAILURE = "Not sent: the answer before it failed."
export const NOT_CONNECTED = "There is no connection to the gateway right now."

/** A message as it shows before the gateway has it. The run id is its idempotency key. */
export function outgoingEntry(
  runId: string,
  key: string,
  at: number,
  message: Outgoing,
  delivery: "sending" | "held" = "sending"
): Entry {
  const item: UserItem = {
    kind: "user",
    key,
    at,
    text: message.text,
    images: message.images.map(({ fileName, mimeType, content }) => ({
      name: fileName,
      src: `data:${mimeType};base64,${content}`
    })),
    delivery,
    error: null
  }
  return { item, source: null, runId }
}

/** The timeline with another delivery on the user messages `which` picks; the same timeline when there are none. */
export function withDelivery(
  timeline: ReadonlyArray<Entry>,
  which: (item: UserItem, entry: Entry) => boolean,
  delivery: Delivery,
  error: string | null = null
): ReadonlyArray<Entry> {
  let changed = false
  const next = timeline.map((entry) => {
    const { item } = entry
    if (item.kind !== "user" || item.delivery === delivery || !which(item, entry)) return entry
    changed = true
    return { ...entry, item: { ...item, delivery, error } }
  })
  return changed ? next : timeline
}

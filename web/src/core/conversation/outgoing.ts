import type { OutgoingImage, UserItem } from "./chatTypes.ts"
import type { Entry, Outgoing } from "./timeline.ts"

/** A message from this page. The run id is its idempotency key. */
export interface OwnEntry extends Entry {
  readonly item: UserItem
  readonly runId: string
  readonly outgoing: Outgoing
}

export const NOT_CONFIRMED = "The connection was lost before the gateway confirmed this message."
export const NOT_READ = "Stopped before the agent read it."
export const FORGOTTEN = "The gateway no longer has this message, and the agent hasn't read it."
export const AFTER_FAILURE = "Not sent because the previous response failed."
export const UNANSWERED =
  "The gateway didn't respond to this message or save it. It may be too long for the model: shorten it, or choose another model."
export const RESTARTED = "The gateway restarted before the agent finished its response."
export const NOT_CONNECTED = "Not connected to the gateway right now."

export const keyOf = (id: string): string => `u:${id}`

/** A message before the gateway has it. */
export const ownEntry = (id: string, text: string, images: ReadonlyArray<OutgoingImage>, at: number): OwnEntry => ({
  item: {
    kind: "user",
    key: keyOf(id),
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
  outgoing: { images, unsure: false, refused: false }
})

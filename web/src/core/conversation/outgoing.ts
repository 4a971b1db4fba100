import { say } from "../language/say.ts"
import type { OutgoingImage } from "../link/Environment.ts"
import type { UserItem } from "./chatTypes.ts"
import type { Entry, Outgoing } from "./timeline.ts"

/** A message that goes through the outbox, or that only events have told of. The run id is its idempotency key. */
export interface OwnEntry extends Entry {
  readonly item: UserItem
  readonly runId: string
  readonly outgoing: Outgoing
}

export const NOT_READ = say("Stopped before the agent read it.")
export const FORGOTTEN = say("The gateway no longer has this message, and the agent hasn't read it.")
export const UNANSWERED = say(
  "The gateway didn't respond to this message or save it. It may be too long for the model: shorten it, or choose another model."
)
export const RESTARTED = say("The gateway restarted before the agent finished its response.")

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

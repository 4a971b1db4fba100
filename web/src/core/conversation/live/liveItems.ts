import type { Why } from "../../../../../src/contract/failure.ts"
import { OUTBOX_MODES } from "../../../../../src/contract/outbox.ts"
import type { ConversationItem, ConversationMedia } from "../../../../../src/contract/schema/conversation.ts"
import type { OutgoingImage } from "../../../../../src/services/conversations/turn/outgoing.ts"
import type { OutboxMessage } from "../../outbox/outboxMessage.ts"
import type { ChatItem, ChatMedia, UserItem } from "../chatTypes.ts"
import { shownMedia, shownNote, withCutNote } from "../shownChat.ts"

type ItemOf<Kind extends ConversationItem["kind"]> = Extract<ConversationItem, { kind: Kind }>

/** What this page knows of an item beside what the console says. */
export interface OwnFacts {
  /** Its message in the outbox. */
  readonly message: OutboxMessage | undefined
  /** The pictures that were sent with it from here. */
  readonly pictures: ReadonlyArray<OutgoingImage> | undefined
  /** All of it was read because a person wanted that. */
  readonly isWhole: boolean
  /** The sentence of a failure. */
  readonly sentence: (why: Why) => string
}

/** Where the console serves what waits in its outbox. */
const WAITING = "/api/outbox/"

const pictureOf = ({ fileName, mimeType, content }: OutgoingImage): ChatMedia => ({
  name: fileName,
  src: `data:${mimeType};base64,${content}`
})

const mediaOf = ({ name = "", pending, problem, src, type }: ConversationMedia): ChatMedia =>
  shownMedia({
    name,
    src: src ?? null,
    ...(type === "image" ? {} : { kind: type }),
    ...(pending === true ? { pending } : {}),
    ...(problem === undefined ? {} : { problem })
  })

/** The media of a message; a picture that was sent from here is at hand until the gateway has stored it. */
const imagesOf = (media: ItemOf<"user">["media"], pictures: OwnFacts["pictures"]): ReadonlyArray<ChatMedia> =>
  media.map((one, index) => {
    const own = pictures?.[index]
    const isStored = one.src !== undefined && !one.src.startsWith(WAITING)
    return own === undefined || isStored ? mediaOf(one) : pictureOf(own)
  })

const waitsOf = ({ id, mode, notBefore, position, state, held }: OutboxMessage): NonNullable<UserItem["waits"]> => ({
  id,
  mode,
  notBefore,
  position,
  state,
  ...(held === undefined ? {} : { held })
})

/** How a message stands in the outbox, as long as something can be done about it there. */
function standing(item: ItemOf<"user">, message: OutboxMessage | undefined): Pick<UserItem, "waits"> {
  const { delivery, outboxId = "", waits } = item
  if (waits !== undefined) {
    const { notBefore = null, position, state } = waits
    const mode = OUTBOX_MODES.find((one) => one === waits.mode) ?? "next"
    const held = message?.held
    return { waits: { id: outboxId, mode, notBefore, position, state, ...(held === undefined ? {} : { held }) } }
  }
  const isOpen = delivery !== "sent" && delivery !== "queued" && message !== undefined && message.state !== "handed"
  return isOpen ? { waits: waitsOf(message) } : {}
}

const cutOf = (cut: true | undefined, { isWhole }: OwnFacts) => ({
  ...(cut === true ? { isCut: cut } : {}),
  ...(isWhole ? { isAskedFor: true as const } : {})
})

/** An item of the console's as screens show it. */
export function liveItem(item: ConversationItem, facts: OwnFacts): ChatItem {
  const { at, key } = item
  switch (item.kind) {
    case "user":
      return {
        kind: "user",
        key,
        at,
        text: item.text,
        images: imagesOf(item.media, facts.pictures),
        delivery: item.delivery,
        error: item.why === undefined ? null : facts.sentence(item.why),
        ...(item.read === false ? { isHanded: true } : {}),
        ...cutOf(item.cut, facts),
        ...standing(item, facts.message)
      }
    case "assistant": {
      const { cut, injected = false, media, model = null, streaming, text, usage } = item
      return {
        kind: "assistant",
        key,
        at,
        text,
        streaming,
        model,
        injected,
        ...(media === undefined ? {} : { media: media.map(mediaOf) }),
        usage: usage === undefined ? null : { ...usage, cost: usage.cost ?? null },
        ...cutOf(cut, facts)
      }
    }
    case "thinking":
      return { kind: "thinking", key, at, text: item.text, streaming: item.streaming }
    case "tool": {
      const { args, callId, cut, durationMs = null, name, output, startedAt = null, status, title = null } = item
      const shown = { kind: "tool", key, at, callId, name, title, args, output, status, startedAt, durationMs } as const
      return cut?.output === undefined ? shown : withCutNote({ ...shown, isCut: true })
    }
    case "note": {
      const { code, from, text = "" } = item
      return shownNote({ kind: "note", key, at, from, ...(code === undefined ? { text } : { code }) })
    }
    case "error":
      return { kind: "error", key, at, message: facts.sentence(item.why) }
    case "aborted":
      return { kind: "aborted", key, at }
  }
}

/** A message that the console doesn't have yet, under the key that it gets there. */
export const writtenItem = (message: OutboxMessage, pictures: ReadonlyArray<OutgoingImage> = []): UserItem => ({
  kind: "user",
  key: `u:${message.id}`,
  at: message.at,
  text: message.text,
  images: pictures.map(pictureOf),
  delivery: message.state === "failed" || message.state === "unsure" ? message.state : "sending",
  waits: waitsOf(message),
  error: message.error
})

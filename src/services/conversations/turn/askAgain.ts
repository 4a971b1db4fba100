import type { Failure } from "../../../contract/failure.ts"
import { conversationFailure } from "../../../contract/failures/conversation.ts"
import { type Fields, recordsOf } from "../../../contract/looseFields.ts"
import { type Asked, type Conversation, type ConversationEvent, isRunning, todo } from "./Conversation.ts"
import type { ChatItem } from "./chatItems.ts"
import { imagesOf, send } from "./outbox.ts"
import type { OutgoingImage } from "./outgoing.ts"
import { startAnew } from "./reading.ts"
import type { Entry, Timeline } from "./timeline.ts"

/** The pictures of a rewound message. */
export const editorImages = (rewound: Fields): ReadonlyArray<OutgoingImage> =>
  recordsOf(rewound.editorAttachments).flatMap(({ mimeType, data }, index) =>
    typeof mimeType === "string" && typeof data === "string"
      ? [{ mimeType, content: data, fileName: `image-${index + 1}` }]
      : []
  )

/** A message that was never read has nothing to do with what is asked again, and stays. */
const isUnread = ({ item }: Entry): boolean => item.kind === "user" && item.delivery === "failed"

/** What going back to before a question removes, the question first; null is one before all that is on screen. */
export function removedEntries({ timeline }: Conversation, key: string | null): Timeline {
  const at = key === null ? 0 : timeline.findIndex(({ item }) => item.key === key)
  return at < 0 ? [] : timeline.slice(at).filter((entry) => !isUnread(entry))
}

/** What asking a question again removes from the session, the question first; nothing where the gateway can't go back. */
export function removedBy(state: Conversation, key: string): ReadonlyArray<ChatItem> {
  const { source } = state.timeline.find(({ item }) => item.key === key) ?? { source: null }
  return state.link?.canRewind === true && source !== null ? removedEntries(state, key).map(({ item }) => item) : []
}

type Rewind = Extract<Asked, { of: "rewind" }>

const ask = (state: Conversation, { id, call, text, images }: Rewind): Conversation =>
  todo(send(state, { id, text, images }), { type: "result", call, result: { ok: true } })

/** Asks a delivered question again, with another text if given. */
export function askAgain(
  state: Conversation,
  { key, id, call, text }: Extract<ConversationEvent, { type: "askAgain" }>
): Conversation {
  const refuse = (failure: Failure) => todo(state, { type: "result", call, result: { ok: false, failure } })
  const entry = state.timeline.find(({ item }) => item.key === key)
  if (entry?.item.kind !== "user") return refuse(conversationFailure("MESSAGE_NOT_HERE"))
  if (isRunning(state)) return refuse(conversationFailure("RESPONSE_RUNNING"))
  const to: Rewind = { of: "rewind", key, id, call, text: text ?? entry.item.text, images: imagesOf(state, key) }
  if (state.link?.canRewind !== true || entry.source === null) return ask(state, to)
  const params = { sessionKey: state.sessionKey, entryId: entry.source }
  return todo(state, { type: "request", method: "sessions.rewind", params, to })
}

/** The conversation without a question and everything after it; null is a question before all that is on screen. */
export function withoutFrom(state: Conversation, key: string | null): Conversation {
  const removed = new Set(removedEntries(state, key))
  return { ...startAnew(state), timeline: state.timeline.filter((entry) => !removed.has(entry)) }
}

/** The gateway removed the question and everything after it from the session. */
export function rewound(state: Conversation, to: Rewind, answer: Fields): Conversation {
  const images = to.images.length > 0 ? to.images : editorImages(answer)
  return ask(withoutFrom(state, to.key), { ...to, images })
}

import type { ConversationItem } from "../../../../../src/contract/schema/conversation.ts"
import type { OutboxMessage } from "../../outbox/outboxMessage.ts"

/** Messages that the console's conversation doesn't have yet, by the ids that both know them under. */
export interface Overlay {
  readonly messages: ReadonlyMap<string, OutboxMessage>
  /** The console is done with these, and its next state says what became of them. */
  readonly done: ReadonlySet<string>
}

export const NO_OVERLAY: Overlay = { messages: new Map(), done: new Set() }

/** The console doesn't have it, as far as this page knows. */
const isOnlyHere = ({ state }: OutboxMessage): boolean => state === "taking" || state === "away"

const idsIn = (items: ReadonlyArray<ConversationItem>): ReadonlySet<string> =>
  new Set(items.flatMap((item) => (item.kind === "user" && item.outboxId !== undefined ? [item.outboxId] : [])))

/** The overlay with what the outbox holds now. `isCurrent` says that the console's state is the newest one. */
export function withMessages(
  overlay: Overlay,
  all: ReadonlyArray<OutboxMessage>,
  items: ReadonlyArray<ConversationItem>,
  isCurrent: boolean
): Overlay {
  const shown = idsIn(items)
  const held = new Map(all.map((message) => [message.id, message]))
  const messages = new Map<string, OutboxMessage>()
  const done = new Set<string>()
  for (const [id, before] of overlay.messages) {
    const now = held.get(id)
    if (shown.has(id)) continue
    if (now !== undefined && now.state !== "handed") messages.set(id, now)
    else if (!isCurrent) {
      messages.set(id, before)
      done.add(id)
    }
  }
  for (const message of all) if (isOnlyHere(message) && !shown.has(message.id)) messages.set(message.id, message)
  return { messages, done }
}

/** The overlay under a new state of the console. */
export function underState(overlay: Overlay, items: ReadonlyArray<ConversationItem>): Overlay {
  if (overlay.messages.size === 0) return overlay
  const shown = idsIn(items)
  const left = [...overlay.messages].filter(([id]) => !shown.has(id) && !overlay.done.has(id))
  return { messages: new Map(left), done: new Set() }
}

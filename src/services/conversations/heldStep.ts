import { surplus } from "./heldRules.ts"
import { type Conversation, type ConversationEvent, isRunning } from "./turn/Conversation.ts"
import type { ChatItem } from "./turn/chatItems.ts"
import { type Step, step } from "./turn/step.ts"

/** Characters of an item's text. */
export const sizeOf = (item: ChatItem): number => {
  if (item.kind === "tool") return item.output.length
  return "text" in item ? item.text.length : 0
}

/** A conversation without its first entries, once it has grown too long and nothing runs. */
const trimmed = (state: Conversation): Conversation => {
  if (isRunning(state)) return state
  const count = surplus(state.timeline.map(({ item }) => sizeOf(item)))
  return count === 0 ? state : { ...state, timeline: state.timeline.slice(count), hasOlder: true, olderOffset: 0 }
}

/** What an event makes of a conversation that the console holds, which never grows without limit. */
export const heldStep = (state: Conversation, event: ConversationEvent): Step => {
  const { effects, state: next } = step(state, event)
  return { effects, state: trimmed(next) }
}

import type { ChatItem } from "../core/chatTypes.ts"
import type { UserSettings } from "../core/types.ts"

/** The parts of a keyboard event that decide about sending. */
export type SendKeyEvent = Pick<
  KeyboardEvent,
  "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey" | "isComposing" | "keyCode"
>

/** While an input method composes, browsers report this code, some of them without `isComposing`. */
const COMPOSING = 229

/** Whether a key press sends the message; the Enter that ends a composition never does. */
export const sendsMessage = (event: SendKeyEvent, sendKey: UserSettings["sendKey"]): boolean => {
  if (event.key !== "Enter" || event.isComposing || event.keyCode === COMPOSING) return false
  if (event.shiftKey || event.altKey) return false
  return sendKey === "enter" || event.ctrlKey || event.metaKey
}

/** Whether a key press brings the last own message back: ↑ alone, in an empty composer. */
export const recallsMessage = (event: SendKeyEvent, text: string): boolean =>
  event.key === "ArrowUp" &&
  text === "" &&
  !(event.isComposing || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey)

/** The text of the newest own message; null when there is none. */
export const lastOwnText = (items: ReadonlyArray<ChatItem>): string | null => {
  const last = items.findLast((item) => item.kind === "user" && item.text !== "")
  return last?.kind === "user" ? last.text : null
}

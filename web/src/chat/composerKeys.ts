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

import type { UserSettings } from "../core/settings/settingValues.ts"

/** The parts of a keyboard event that decide about sending. */
export type SendKeyEvent = Pick<
  KeyboardEvent,
  "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey" | "isComposing" | "keyCode"
>

/** While an input method composes, browsers report this code, some of them without `isComposing`. */
const COMPOSING = 229

const isEnter = (event: SendKeyEvent): boolean =>
  event.key === "Enter" && !event.isComposing && event.keyCode !== COMPOSING && !event.altKey

const hasMod = (event: SendKeyEvent): boolean => event.ctrlKey || event.metaKey

/** Whether a key press sends the message; the Enter that ends a composition never does. */
export const sendsMessage = (event: SendKeyEvent, sendKey: UserSettings["sendKey"]): boolean =>
  isEnter(event) && !event.shiftKey && (sendKey === "enter" || hasMod(event))

/** Whether a key press sends the message into the running answer: Ctrl+Enter, with Shift where Ctrl+Enter sends. */
export const steersMessage = (event: SendKeyEvent, sendKey: UserSettings["sendKey"]): boolean =>
  isEnter(event) && hasMod(event) && event.shiftKey === (sendKey === "mod-enter")

/** Whether a key press walks through the own messages: an arrow alone. */
export const walksHistory = (event: SendKeyEvent): boolean =>
  (event.key === "ArrowUp" || event.key === "ArrowDown") &&
  !(event.isComposing || event.shiftKey || event.altKey || hasMod(event))

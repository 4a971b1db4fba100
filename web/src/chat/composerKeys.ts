import type { UserSettings } from "../core/settings/settingValues.ts"

/** The parts of a keyboard event that decide whether to send. */
export type SendKeyEvent = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">

const isEnter = (event: SendKeyEvent): boolean => event.key === "Enter" && !event.altKey

const hasMod = (event: SendKeyEvent): boolean => event.ctrlKey || event.metaKey

/** Whether a key press sends the message. */
export const sendsMessage = (event: SendKeyEvent, sendKey: UserSettings["sendKey"]): boolean =>
  isEnter(event) && !event.shiftKey && (sendKey === "enter" || hasMod(event))

/** Whether a key press sends the message to the running turn: Ctrl+Enter, with Shift if Ctrl+Enter sends. */
export const steersMessage = (event: SendKeyEvent, sendKey: UserSettings["sendKey"]): boolean =>
  isEnter(event) && hasMod(event) && event.shiftKey === (sendKey === "mod-enter")

/** Whether a key press moves through the person's own messages: an arrow alone. */
export const walksHistory = (event: SendKeyEvent): boolean =>
  (event.key === "ArrowUp" || event.key === "ArrowDown") && !(event.shiftKey || event.altKey || hasMod(event))

/** Fields and layers that Escape clears, leaves or closes. */
const TAKES_ESCAPE = "input, textarea, select, [contenteditable], dialog, [popover]"

/** Whether Escape, pressed here, stops the response: in the composer, and wherever it has nothing else to do. */
export const escapeStops = (place: Pick<Element, "id" | "closest"> | null): boolean =>
  place === null || place.id === "composer" || place.closest(TAKES_ESCAPE) === null

import type { TakenBack } from "../core/conversation/chatTypes.ts"

/** A message for the composer; with `editKey` it replaces an earlier message when it is sent. */
export interface Composed extends TakenBack {
  readonly editKey?: string
  /** Whose composer is meant, if it may be another one than that on screen. */
  readonly sessionKey?: string
  /** The user did not ask for it, so the focus stays where it is. */
  readonly keepsFocus?: boolean
}

/** Dispatched on `window` with a `Composed` for the composer. */
export const COMPOSE_EVENT = "console:compose"

/** Composed messages by their events; nothing else on the page can add one. */
const messages = new WeakMap<Event, Composed>()

/** The message of a composer event; null for anything else. */
export const composed = (event: Event): Composed | null => messages.get(event) ?? null

/**
 * Puts a message into the composer after any text already there, and moves the focus after it. False if the composer it's
 * meant for isn't on screen.
 */
export const compose = (message: Composed): boolean => {
  const event = new Event(COMPOSE_EVENT, { cancelable: true })
  messages.set(event, message)
  return !window.dispatchEvent(event)
}

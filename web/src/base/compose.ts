import type { TakenBack } from "../core/conversation/chatTypes.ts"

/** A message for the composer; with `editKey` it replaces an earlier message when it is sent. */
export interface Composed extends TakenBack {
  readonly editKey?: string
}

/** Dispatched on `window` with a `Composed` for the composer. */
export const COMPOSE_EVENT = "console:compose"

/** Composed messages by their events; nothing else on the page can add one. */
const messages = new WeakMap<Event, Composed>()

/** The message of a composer event; null for anything else. */
export const composed = (event: Event): Composed | null => messages.get(event) ?? null

/** Puts a message into the composer after any text already there, and moves the focus after it. */
export const compose = (message: Composed): void => {
  const event = new Event(COMPOSE_EVENT)
  messages.set(event, message)
  window.dispatchEvent(event)
}

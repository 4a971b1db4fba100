/** Dispatched on `window` with a text for the composer. */
export const COMPOSE_EVENT = "console:compose"

/** Puts a text into the composer and the focus after it. */
export const compose = (text: string): void => {
  window.dispatchEvent(new CustomEvent(COMPOSE_EVENT, { detail: text }))
}

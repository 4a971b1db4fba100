/** Dispatched on the composer's field with a message, words and files, that takes the place of what stands there. */
export const DRAFT_EVENT = "console:draft"

/** Pasted text of more characters is offered to become a file. */
export const LONG_PASTE = 8 * 1024

/** Dispatched on the composer's field with a message, words and files, that takes the place of what stands there. */
export const DRAFT_EVENT = "console:draft"

/** A long text that was pasted: `text` could be a file, `file` is one and could be text again. */
export type LongPaste = "text" | "file"

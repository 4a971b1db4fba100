import { createObservable } from "../core/common/Observable.ts"

/** What is shown over a conversation, drawn by its own chunk. */
type ChatRequest =
  | { readonly kind: "model" }
  | { readonly kind: "search" }
  /** The query of an address that names a message. */
  | { readonly kind: "message"; readonly query: string }
  /** Whether the messages stay that wait for the end of the response that is to be stopped. */
  | { readonly kind: "stop" }
  | { readonly kind: "picture"; readonly src: string; readonly alt: string }

/** The request that is open; null for none. */
export const chatRequest = createObservable<ChatRequest | null>(null)

/** Dispatched on the composer's field with a message, words and files, that replaces its content. */
export const DRAFT_EVENT = "console:draft"

/** A long text that was pasted: `text` could be a file, `file` is one and could be text again. */
export type LongPaste = "text" | "file"

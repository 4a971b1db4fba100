import { Observable } from "../core/Observable.ts"

/** What lies over a conversation, drawn by a chunk of its own. */
export type ChatRequest =
  | { readonly kind: "model" }
  | { readonly kind: "search" }
  | { readonly kind: "picture"; readonly src: string; readonly alt: string }

/** The request that is open; null for none. */
export const chatRequest = new Observable<ChatRequest | null>(null)

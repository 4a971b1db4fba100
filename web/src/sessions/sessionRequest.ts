import { Observable } from "../core/Observable.ts"

/** What is to be done with a session, or with the list; drawn by a chunk of its own. */
export type SessionRequest =
  | { readonly kind: "menu"; readonly key: string; readonly anchor: HTMLElement }
  | { readonly kind: "rename" | "reset"; readonly key: string }
  | { readonly kind: "new" }
  | { readonly kind: "inbox" }

/** The request that is open; null for none. */
export const sessionRequest = new Observable<SessionRequest | null>(null)

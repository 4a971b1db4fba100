import { createObservable } from "../core/common/Observable.ts"

/** What to do with a session or the list; drawn by its own chunk. */
export type SessionRequest =
  | { readonly kind: "menu"; readonly key: string; readonly anchor: HTMLElement }
  | { readonly kind: "rename"; readonly key: string }
  /** Clearing, in another way than by a call if it has its own. */
  | { readonly kind: "reset"; readonly key: string; readonly clear?: () => void }
  /** Putting it into a group. */
  | { readonly kind: "group"; readonly key: string }
  | { readonly kind: "new" }
  /** The menu of a group, and renaming it. */
  | { readonly kind: "groupMenu"; readonly group: string; readonly anchor: HTMLElement }
  | { readonly kind: "groupName"; readonly group: string }

/** The request that is open; null for none. */
export const sessionRequest = createObservable<SessionRequest | null>(null)

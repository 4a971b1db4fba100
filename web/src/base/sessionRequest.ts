import { createObservable } from "../core/common/Observable.ts"
import type { AppServices } from "./AppContext.ts"
import { chatPath } from "./routes.ts"

/** What to do with a session or the list; drawn by its own chunk. */
export type SessionRequest =
  | { readonly kind: "menu"; readonly key: string; readonly anchor: HTMLElement }
  | { readonly kind: "rename"; readonly key: string }
  /** Clearing, in another way than by a call if it has its own. */
  | { readonly kind: "reset"; readonly key: string; readonly clear?: () => void }
  /** Putting it into a group. */
  | { readonly kind: "group"; readonly key: string }
  /** What was removed from it in this browser. */
  | { readonly kind: "removed"; readonly key: string }
  /** The menu of a group, and renaming it. */
  | { readonly kind: "groupMenu"; readonly group: string; readonly anchor: HTMLElement }
  | { readonly kind: "groupName"; readonly group: string }

/** The request that is open; null for none. */
export const sessionRequest = createObservable<SessionRequest | null>(null)

/** Opens an empty session, from any screen: the gateway has it from its first message on. */
export const createSession = ({ client, router }: AppServices): void =>
  router.navigate(chatPath(client.sessions.create()))

/** Dispatched on `window` to open the session list and focus it. */
export const OPEN_SESSIONS_EVENT = "console:open-sessions"

/** Opens the session list: the drawer on a phone, and moves the focus there. */
export const openSessions = (): void => {
  window.dispatchEvent(new Event(OPEN_SESSIONS_EVENT))
}

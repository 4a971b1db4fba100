import { createObservable, type Readable } from "../common/Observable.ts"

import { type LoadedPart, loadedPart } from "../link/loadedPart.ts"
import { createInboxStore } from "./InboxStore.ts"
import {
  type Drafts,
  type EndNote,
  type InboxItem,
  type InboxParts,
  type InboxState,
  type InboxStore,
  waitingKeys
} from "./inboxTypes.ts"

/** Everything that waits for a person, as the server knows it: approvals, questions, proposals, reviews, failures. */
export interface Inbox extends LoadedPart<InboxStore> {
  /** Nearest deadline first. */
  readonly open: Readable<ReadonlyArray<InboxItem>>
  /** The sessions whose agent is waiting. */
  readonly keys: Readable<ReadonlySet<string>>
  /** For each session, when its newest request that nobody allowed was made. */
  readonly denied: Readable<ReadonlyMap<string, number>>
  /** By session, the question that a waiting message could answer. */
  readonly asked: Readable<ReadonlyMap<string, InboxItem>>
  /** The question that a message was the last to answer in part, or couldn't: the person goes on at its card. */
  readonly said: Readable<{ readonly id: string } | null>
  /** News about items that ended elsewhere, at most one per session. */
  readonly notes: Readable<ReadonlyArray<EndNote>>
  /** What was chosen and typed so far, by item; never a secret. */
  readonly drafts: Readable<Readonly<Record<string, Drafts>>>
  /** Why the items couldn't be read; null while they can, undefined before they were. */
  readonly failure: Readable<string | null | undefined>
}

/** The inbox. What reads and decides its items begins with the first connection. */
export function createInbox(parts: InboxParts): Inbox {
  const state: InboxState = {
    open: createObservable<ReadonlyArray<InboxItem>>([]),
    denied: createObservable<ReadonlyMap<string, number>>(new Map()),
    asked: createObservable<ReadonlyMap<string, InboxItem>>(new Map()),
    said: createObservable<{ readonly id: string } | null>(null),
    notes: createObservable<ReadonlyArray<EndNote>>([]),
    drafts: createObservable<Readonly<Record<string, Drafts>>>({}),
    failure: createObservable<string | null | undefined>(undefined)
  }
  const keys = createObservable<ReadonlySet<string>>(new Set())
  state.open.subscribe((open) => keys.set(new Set(open.flatMap(waitingKeys))))
  const rest = loadedPart(parts.events, async () => createInboxStore(parts, state))
  return { ...state, keys, ...rest }
}

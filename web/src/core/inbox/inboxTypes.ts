import type { Shown } from "../../../../src/contract/looseFields.ts"
import type * as Answer from "../../../../src/contract/schema/inbox.ts"
import type { ActionResult, Observable, Readable } from "../common/Observable.ts"
import type { ApiClient, ApiResult, EventStream } from "../link/apiTypes.ts"
import type { Environment } from "../link/Environment.ts"
import type { GatewayLink } from "../link/linkTypes.ts"

export type InboxKind = Answer.InboxKind
export type InboxDecision = Answer.InboxDecision

/** Something that waits for a person, or did. */
export type InboxItem = Shown<Omit<Answer.InboxItem, "why" | "titleWhy">>

/** One of the questions that an agent asks together. */
export type QuestionPart = Shown<Answer.InboxQuestion>

/** Where the gateway keeps a requested secret. */
export type SecretPlace = Shown<Answer.InboxSecretPlace>

/** What a person has chosen or typed for a part so far. */
export interface Draft {
  /** Ids of options. */
  readonly chosen: ReadonlyArray<string>
  readonly words: string
}

/** By the id of the part. */
export type Drafts = Readonly<Record<string, Draft>>

/** How an item ended that wasn't decided on this page. */
export interface EndNote {
  readonly id: string
  readonly sessionKey: string | null
  /** What was asked. */
  readonly text: string
  readonly resolution: InboxItem["resolution"]
}

/** Items that have ended, newest first. */
export interface DecidedPage {
  readonly items: ReadonlyArray<InboxItem>
  readonly total: number
}

/** Items that were decided but can still be taken back. */
export interface Deferred {
  /** Shows them again; nothing has been decided yet. */
  readonly undo: () => void
  /** Decides them, also while the page is being left; a sentence for each that failed. */
  readonly commit: () => Promise<ReadonlyArray<string>>
}

/** What can be done with the inbox; loads after the first screen. */
export interface InboxStore {
  setDraft(itemId: string, questionId: string, draft: Drafts[string]): void
  /** The item that ended last, and whether this page decided it. */
  readonly ended: Readable<{ readonly item: InboxItem; readonly isMine: boolean } | null>
  read(): Promise<void>
  resolve(item: InboxItem, decision: InboxDecision): Promise<ActionResult>
  /** Hides items and decides them later. */
  defer(items: ReadonlyArray<InboxItem>, decision: InboxDecision): Deferred
  /** Answers with the drafts; `secrets` are passed on and not stored. */
  answer(item: InboxItem, secrets?: Readonly<Record<string, string>>): Promise<ActionResult>
  /** Takes a text as the answer to the first unanswered part that it fits, and answers once no part is left. */
  say(item: InboxItem, text: string): Promise<ActionResult>
  find(id: string): Promise<ApiResult<InboxItem>>
  readDecided(kind: InboxKind | null, offset: number): Promise<ApiResult<DecidedPage>>
  /** Tells the server what a person is looking at, so that it isn't pushed to their devices too. */
  seen(ids: ReadonlyArray<string>): void
  dismiss(noteId: string): void
  dispose(): void
}

/** What the inbox needs of the page. */
export interface InboxParts {
  readonly api: Pick<ApiClient, "request">
  readonly events: Pick<EventStream, "connected" | "on">
  readonly link: Pick<GatewayLink, "onEvent">
  readonly env: Pick<Environment, "now">
}

/** What the store publishes. */
export interface InboxState {
  readonly open: Observable<ReadonlyArray<InboxItem>>
  readonly denied: Observable<ReadonlyMap<string, number>>
  readonly asked: Observable<ReadonlyMap<string, InboxItem>>
  readonly said: Observable<{ readonly id: string } | null>
  readonly notes: Observable<ReadonlyArray<EndNote>>
  readonly drafts: Observable<Readonly<Record<string, Drafts>>>
  readonly failure: Observable<string | null | undefined>
}

/** The list entries a key stands for: a scheduled run is shown with its job. */
export const shownKeys = (key: string | null): ReadonlyArray<string> => {
  if (key === null) return []
  const job = /^(.*:cron:[^:]+):run:/.exec(key)?.[1]
  return job === undefined ? [key] : [key, job]
}

/** The sessions whose agent can't go on without a person's answer. */
export const waitingKeys = ({ kind, sessionKey }: InboxItem): ReadonlyArray<string> =>
  kind === "approval" || kind === "question" ? shownKeys(sessionKey) : []

/** Whether a session's agent, or that of one of its runs, is waiting for this. */
export const isOf = (item: InboxItem, sessionKey: string): boolean => waitingKeys(item).includes(sessionKey)

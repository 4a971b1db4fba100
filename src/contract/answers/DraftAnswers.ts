/** Drafts that are kept, the ones written last. */
export const MAX_DRAFTS = 200
/** Bytes of all drafts that are kept. */
export const MAX_DRAFT_BYTES = 20_000_000

/** What somebody has begun to write in a session. */
export interface Draft {
  readonly sessionKey: string
  readonly text: string
  /** Epoch milliseconds by the console's clock; each write of a session has a later time than the one before. */
  readonly updatedAt: number
  /** Where it was written, as the page that wrote it calls itself. */
  readonly deviceId?: string
}

/** Where a session's draft stands; `updatedAt` also tells when one was removed, and is absent for one nobody knows. */
export interface DraftState {
  readonly draft: Draft | null
  readonly updatedAt?: number
}

/** The drafts' answers by their request. */
export interface DraftAnswers {
  readonly "GET /api/drafts": DraftState
  readonly "PUT /api/drafts": { readonly updatedAt: number }
}

/** The draft of a session has changed. */
export interface DraftChange {
  readonly sessionKey: string
  readonly updatedAt: number
}

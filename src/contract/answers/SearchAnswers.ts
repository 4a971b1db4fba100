export const SEARCH_KINDS = ["message", "task", "memory", "document", "log"] as const

/** What was found: a message of a conversation, a card, a memory file, one of the six documents, an entry of the log. */
export type SearchKind = (typeof SEARCH_KINDS)[number]

export const SEARCH_ROLES = ["user", "assistant", "tool"] as const

/** Who wrote a message; `tool` is what a tool returned. */
export type SearchRole = (typeof SEARCH_ROLES)[number]

/** Most hits in one answer. */
export const MAX_SEARCH_PAGE = 100

/** A piece of a text; `hit` where it's what was looked for. */
export interface SearchSnippetPart {
  readonly text: string
  readonly hit: boolean
}

/** Something that was found. */
export interface SearchHit {
  readonly kind: SearchKind
  /** `primary` is the gateway of the settings. */
  readonly gatewayId: string
  /** Whose memory or document; absent for the default agent. */
  readonly agent?: string
  /** The conversation of a message; absent if the gateway doesn't list it any more. */
  readonly sessionKey?: string
  readonly sessionTitle?: string
  readonly messageId?: string
  readonly taskId?: string
  /** A card's. */
  readonly title?: string
  /** Of a memory file or document, relative to the agent's workspace. */
  readonly path?: string
  /** Epoch milliseconds: when it was said, or last changed. */
  readonly at: number
  readonly role?: SearchRole
  readonly snippet: ReadonlyArray<SearchSnippetPart>
}

/** How far the index is. */
export interface SearchState {
  /** While it's built, hits may be missing. */
  readonly state: "ready" | "building"
  /** From 0 to 1 while it's built. */
  readonly progress?: number
  /** Why it's built once more, if nobody asked for that, as the end of a sentence that begins with "because". */
  readonly anew?: string
  /** Why it takes nothing in at the moment, and what to do, in a sentence; what's in it is found meanwhile. */
  readonly paused?: string
}

/** `GET /api/search`. */
export interface SearchPage extends SearchState {
  readonly hits: ReadonlyArray<SearchHit>
  /** Where the next page begins; absent on the last one. */
  readonly cursor?: string
}

/** `GET /api/search/index`. */
export interface SearchIndex extends SearchState {
  /** Absent, as the next two, while the index can't even be read; `paused` says why. */
  readonly messages?: number
  /** Cards, memory files, documents and log entries. */
  readonly documents?: number
  /** On disk. */
  readonly bytes?: number
  /** What tools returned is found too. */
  readonly toolOutput: boolean
}

/** The search's answers by their request. */
export interface SearchAnswers {
  readonly "GET /api/search": SearchPage
  readonly "GET /api/search/index": SearchIndex
  readonly "PATCH /api/search/index": SearchIndex
  readonly "POST /api/search/index/rebuild": SearchIndex
  readonly "DELETE /api/search/index": { readonly ok: true }
}

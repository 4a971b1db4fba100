export const SEARCH_KINDS = ["message", "task", "memory", "document", "log"] as const

/** What was found: a message of a conversation, a card, a memory file, one of the six documents, an entry of the log. */
export type SearchKind = (typeof SEARCH_KINDS)[number]

export const SEARCH_ROLES = ["user", "assistant", "tool"] as const

/** Who wrote a message; `tool` is what a tool returned. */
export type SearchRole = (typeof SEARCH_ROLES)[number]

/** Most hits in one answer. */
export const MAX_SEARCH_PAGE = 100

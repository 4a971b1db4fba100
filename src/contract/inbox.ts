export const INBOX_KINDS = [
  "approval",
  "question",
  "proposal",
  "review",
  "failed",
  "pairing",
  "budget",
  "blocked"
] as const

/** What kind of thing waits for a person. */
export type InboxKind = (typeof INBOX_KINDS)[number]

/** Most items in one answer. */
export const MAX_INBOX_PAGE = 200
/** Characters of one answer. */
export const MAX_ANSWER = 20_000

export const INBOX_KINDS = ["approval", "question", "proposal", "review", "failed", "pairing"] as const

/** What kind of thing waits for a person. */
export type InboxKind = (typeof INBOX_KINDS)[number]

/** Most items in one answer. */
export const MAX_INBOX_PAGE = 200
/** Characters of one answer. */
export const MAX_ANSWER = 20_000

/** Where the gateway keeps a secret that it asks for. */
export interface InboxSecretPlace {
  readonly name: string
  /** What the agent needs it for, in its own words. */
  readonly reason?: string
  /** Hosts it can be sent to; empty for none. */
  readonly hosts: ReadonlyArray<string>
  /** A secret of this name already exists. */
  readonly replaces: boolean
}

/** One part of what an agent asks. */
export interface InboxQuestion {
  readonly id: string
  /** A word or two above the question. */
  readonly header?: string
  readonly text: string
  /** A page to look at first. */
  readonly url?: string
  /** Absent when there is nothing to choose from. */
  readonly options?: ReadonlyArray<{ readonly id: string; readonly label: string; readonly description?: string }>
  /** Several options may be chosen. */
  readonly multiple: boolean
  /** The person may answer in their own words. */
  readonly freeText: boolean
  /** The answer is passed on, and neither stored nor logged nor pushed. */
  readonly secret?: boolean
  /** Where the gateway keeps the secret; absent when it keeps none. */
  readonly store?: InboxSecretPlace
}

/** Something a person can do with an item. */
export interface InboxAction {
  readonly id: string
  readonly label: string
  /** What has to come along with it. */
  readonly needs?: "text" | "answers"
}

/** How an item ended. */
export interface InboxResolution {
  /**
   * The action's id; `unknown` when nobody says what it was, `gateway-restarted` when the gateway has restarted since and
   * no longer asks.
   */
  readonly action: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly by: "console" | "elsewhere" | "timeout"
  /** What a question was answered with, in one line; a secret is never repeated. */
  readonly answer?: string
}

/** Something that needs a person, or did. */
export interface InboxItem {
  readonly id: string
  /** `primary` is the gateway of the settings. */
  readonly gatewayId: string
  readonly kind: InboxKind
  readonly title: string
  readonly detail?: string
  readonly sessionKey?: string
  readonly taskId?: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** Epoch milliseconds; absent when it waits for as long as it takes. */
  readonly expiresAt?: number
  readonly state: "open" | "resolved" | "expired"
  readonly questions?: ReadonlyArray<InboxQuestion>
  /** Empty once it has ended. */
  readonly actions: ReadonlyArray<InboxAction>
  readonly resolution?: InboxResolution
}

/** `GET /api/inbox`. */
export interface InboxPage {
  readonly items: ReadonlyArray<InboxItem>
  /** How many match. */
  readonly total: number
  /** How many wait, whatever was asked for. */
  readonly open: number
}

/** Body of `POST /api/inbox/:id/resolve`. */
export interface InboxDecision {
  readonly action: string
  readonly text?: string
  /** By the id of the question. */
  readonly answers?: Readonly<Record<string, { readonly options?: ReadonlyArray<string>; readonly text?: string }>>
}

/** The inbox's answers by their request. */
export interface InboxAnswers {
  readonly "GET /api/inbox": InboxPage
  readonly "GET /api/inbox/:id": InboxItem
  readonly "POST /api/inbox/:id/resolve": InboxItem
}

/** An item was opened, or has ended. */
export interface InboxChange {
  readonly action: "opened" | "resolved" | "expired"
  readonly item: InboxItem
}

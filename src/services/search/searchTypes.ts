import type { SearchKind, SearchRole } from "../../contract/search.ts"
import type { SnippetPart } from "./query/cutSnippet.ts"
import type { QueryTerm } from "./query/parseQuery.ts"
import type { SearchCursor } from "./query/searchCursor.ts"

/** Where entries belong: a conversation, or all of a kind that an agent has. */
export interface SearchPlace {
  readonly kind: SearchKind
  readonly gatewayId: string
  /** A conversation's key; empty for the other kinds. */
  readonly name: string
  /** Empty where there's no agent. */
  readonly agent: string
}

/** Something that can be found. */
export interface SearchEntry {
  readonly place: SearchPlace
  /** Its id within the place. */
  readonly key: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly role: SearchRole | undefined
  readonly text: string
  /** Changes with the entry; empty for messages, which only ever get longer. */
  readonly stamp: string
}

/** What to look for. */
export interface SearchOrder {
  readonly terms: ReadonlyArray<QueryTerm>
  readonly kinds: ReadonlyArray<SearchKind>
  readonly roles: ReadonlyArray<SearchRole>
  readonly gatewayId: string | undefined
  readonly agent: string | undefined
  readonly session: string | undefined
  /** From this time on, in epoch milliseconds. */
  readonly after: number | undefined
  /** Earlier than this. */
  readonly before: number | undefined
  readonly sort: "newest" | "relevance"
  readonly limit: number
  readonly cursor: SearchCursor | undefined
}

/** An order that asks for the newest of everything. */
export const ANYWHERE = {
  kinds: [],
  roles: [],
  gatewayId: undefined,
  agent: undefined,
  session: undefined,
  after: undefined,
  before: undefined,
  sort: "newest",
  cursor: undefined
} satisfies Omit<SearchOrder, "terms" | "limit">

/** What was found. */
export interface SearchFind {
  readonly place: SearchPlace
  /** The conversation's. */
  readonly title: string | undefined
  /** A card's title, with which its text begins. */
  readonly heading: string | undefined
  readonly key: string
  readonly at: number
  readonly role: SearchRole | undefined
  readonly snippet: ReadonlyArray<SnippetPart>
}

export interface SearchFinds {
  readonly finds: ReadonlyArray<SearchFind>
  /** Where the next page begins; `undefined` on the last one. */
  readonly next: SearchCursor | undefined
}

/** A conversation whose file no list of the gateway names any more. */
export const UNLISTED = "file:"

/** The agent in a conversation's key. */
export const agentOfKey = (key: string): string => /^agent:([^:]+):/.exec(key)?.[1] ?? "main"

/** A conversation. */
export const conversation = (gatewayId: string, sessionKey: string): SearchPlace => ({
  kind: "message",
  gatewayId,
  name: sessionKey,
  agent: agentOfKey(sessionKey)
})

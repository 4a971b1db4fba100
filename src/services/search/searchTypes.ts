import { crc32 } from "node:zlib"
import type { SearchKind, SearchRole } from "../../contract/search.ts"
import type { SnippetPart } from "./query/cutSnippet.ts"
import type { QueryTerm } from "./query/parseQuery.ts"

/** The position between two pages of hits. */
type SearchCursor =
  | { readonly sort: "newest"; readonly before: number }
  /** Ranks change while the index grows, so later pages exclude entries added after the first page. */
  | { readonly sort: "relevance"; readonly added: number; readonly position: number }

const FORM = /^(?:n\.(?<before>\d{1,16})|r\.(?<added>\d{1,16})\.(?<position>\d{1,6}))\.(?<sum>[0-9a-f]{1,8})$/

const sumOf = (text: string) => crc32(text).toString(16)

const signed = (text: string) => Buffer.from(`${text}.${sumOf(text)}`).toString("base64url")

export const encodeCursor = (cursor: SearchCursor): string =>
  signed(cursor.sort === "newest" ? `n.${cursor.before}` : `r.${cursor.added}.${cursor.position}`)

/** Decodes a cursor; `undefined` if it's damaged. */
export const decodeCursor = (text: string): SearchCursor | undefined => {
  const plain = Buffer.from(text, "base64url").toString("latin1")
  const groups = FORM.exec(plain)?.groups
  if (groups === undefined || Buffer.from(plain).toString("base64url") !== text) return undefined
  const { before, added, position, sum } = groups
  if (sum !== sumOf(plain.slice(0, plain.lastIndexOf(".")))) return undefined
  const numbers = [before, added, position].map((digits) => Number(digits ?? 0))
  if (!numbers.every(Number.isSafeInteger)) return undefined
  return before === undefined
    ? { sort: "relevance", added: Number(added), position: Number(position) }
    : { sort: "newest", before: Number(before) }
}

/** The place of entries: a conversation, or all of one kind of an agent. */
export interface SearchPlace {
  readonly kind: SearchKind
  readonly gatewayId: string
  /** A conversation's key; empty for the other kinds. */
  readonly name: string
  /** Empty where there's no agent. */
  readonly agent: string
}

/** An entry of the index. */
export interface SearchEntry {
  readonly place: SearchPlace
  /** Its id within the place. */
  readonly key: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly role: SearchRole | undefined
  readonly text: string
  /** Changes with the entry; empty for messages, which only grow. */
  readonly stamp: string
}

/** A query to the index. */
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

/** Defaults of a query: the newest of everything. */
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

/** A hit. */
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

/** A word that occurs nowhere, folded, and words that do and are written almost like it. */
export interface NearestWords {
  readonly word: string
  readonly instead: ReadonlyArray<string>
}

export interface SearchFinds {
  readonly finds: ReadonlyArray<SearchFind>
  /** Words that may have been meant, if nothing was found. */
  readonly nearest?: ReadonlyArray<NearestWords>
  /** The position of the next page; `undefined` on the last one. */
  readonly next: SearchCursor | undefined
}

/** The prefix of conversations whose file is no longer in the gateway's list. */
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

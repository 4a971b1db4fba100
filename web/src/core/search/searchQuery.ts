import { SEARCH_KINDS, type SearchKind, type SearchRole } from "../../../../src/contract/search.ts"
import { partsWritten, type WrittenFilter } from "./searchWords.ts"

/** What to look for, as the server is asked. */
export interface SearchQuery {
  /** Words, phrases in quotes, `-without`, `prefix*`; empty if there are only filters. */
  readonly words: string
  readonly kinds: ReadonlyArray<SearchKind>
  readonly roles: ReadonlyArray<SearchRole>
  readonly agent: string | null
  readonly session: string | null
  /** Epoch milliseconds. */
  readonly after: number | null
  readonly before: number | null
  readonly sort: "newest" | "relevance"
}

/** What the names in a filter may stand for. */
export interface SearchSurroundings {
  readonly now: number
  readonly sessions: ReadonlyArray<{ readonly key: string; readonly title: string }>
}

const KIND_WORDS: Readonly<Record<string, SearchKind>> = {
  messages: "message",
  chat: "message",
  tasks: "task",
  card: "task",
  cards: "task",
  memories: "memory",
  documents: "document",
  doc: "document",
  docs: "document",
  logs: "log"
}

const ROLE_WORDS: Readonly<Record<string, SearchRole>> = {
  me: "user",
  user: "user",
  agent: "assistant",
  assistant: "assistant",
  tool: "tool",
  tools: "tool"
}

const own = <A>(words: Readonly<Record<string, A>>, word: string): A | undefined =>
  Object.hasOwn(words, word) ? words[word] : undefined

const kindOf = (value: string): SearchKind | undefined => {
  const word = value.toLowerCase()
  return SEARCH_KINDS.find((kind) => kind === word) ?? own(KIND_WORDS, word)
}

const DAY = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/
const AGO = /^(\d{1,4})([hdwmy])$/

/** The beginning of a local day, with days, months and years moved. */
const dayOf = (now: number, days: number, months = 0, years = 0): number => {
  const date = new Date(now)
  return new Date(date.getFullYear() - years, date.getMonth() - months, date.getDate() - days).getTime()
}

/**
 * The moment a day begins, such as `2026-11-20`, `2026-11`, `2026`, `today` or `yesterday`, or one some time ago, such
 * as `12h`, `7d`, `2w`, `3m` or `1y`; null for anything else.
 */
export const momentOf = (value: string, now: number): number | null => {
  const word = value.toLowerCase()
  if (word === "today") return dayOf(now, 0)
  if (word === "yesterday") return dayOf(now, 1)
  const [, amount = "", unit] = AGO.exec(word) ?? []
  if (unit === "h") return Math.floor(now / 60_000) * 60_000 - Number(amount) * 3_600_000
  if (unit === "d" || unit === "w") return dayOf(now, Number(amount) * (unit === "w" ? 7 : 1))
  if (unit === "m") return dayOf(now, 0, Number(amount))
  if (unit === "y") return dayOf(now, 0, 0, Number(amount))
  const [, year, month = "1", day = "1"] = DAY.exec(word) ?? []
  if (year === undefined) return null
  const date = new Date(Number(year), Number(month) - 1, Number(day))
  // A month or day that doesn't exist moves the date.
  return date.getMonth() === Number(month) - 1 && date.getDate() === Number(day) ? date.getTime() : null
}

/** A session by its key or its title. */
const sessionOf = (value: string, { sessions }: SearchSurroundings): string => {
  const word = value.toLowerCase()
  return (
    sessions.find(({ key }) => key === value) ??
    sessions.find(({ title }) => title.toLowerCase() === word) ??
    sessions.find(({ title }) => title.toLowerCase().startsWith(word)) ?? { key: value }
  ).key
}

/** What a filter changes; null for one nobody knows, or with a value that means nothing. */
const filtered = (
  query: SearchQuery,
  { name, value }: WrittenFilter,
  around: SearchSurroundings
): SearchQuery | null => {
  switch (name) {
    case "agent":
      return { ...query, agent: value }
    case "session":
      return { ...query, session: sessionOf(value, around) }
    case "kind": {
      const kind = kindOf(value)
      return kind === undefined ? null : { ...query, kinds: [...new Set([...query.kinds, kind])] }
    }
    case "from": {
      const role = own(ROLE_WORDS, value.toLowerCase())
      return role === undefined ? null : { ...query, roles: [...new Set([...query.roles, role])] }
    }
    case "tool":
      // A word in what tools returned.
      return { ...query, roles: ["tool"], words: `${query.words} ${value}`.trim() }
    case "before":
    case "after": {
      const at = momentOf(value, around.now)
      return at === null ? null : { ...query, [name]: at }
    }
    case "sort":
      return value === "newest" || value === "relevance" ? { ...query, sort: value } : null
    default:
      return null
  }
}

const NOTHING: SearchQuery = {
  words: "",
  kinds: [],
  roles: [],
  agent: null,
  session: null,
  after: null,
  before: null,
  sort: "newest"
}

/** A word that may still be being typed; in scripts without small letters any part of a word is found as it is. */
const BEGINNING = /^\p{L}[\p{Ll}\p{M}]{2,}$/u

/**
 * Reads what was written: filters such as `from:me` are taken out; ones that mean nothing stay words. The last word
 * may be the beginning of one until a space follows.
 */
export const searchQuery = (text: string, around: SearchSurroundings): SearchQuery => {
  const parts = partsWritten(text)
  let query = NOTHING
  for (const part of parts) {
    const isOpen = part === parts.at(-1) && text.endsWith(part.text) && BEGINNING.test(part.text)
    const next = part.filter === null ? null : filtered(query, part.filter, around)
    query = next ?? { ...query, words: `${query.words} ${part.text}${isOpen ? "*" : ""}`.trim() }
  }
  return query
}

/** The address to ask for the first hits. */
export const searchAddress = (query: SearchQuery, limit: number): string => {
  const params = new URLSearchParams({ q: query.words })
  const add = (name: string, value: string | number | null) => {
    if (value !== null && value !== "") params.set(name, String(value))
  }
  add("kind", query.kinds.join(","))
  add("role", query.roles.join(","))
  add("agent", query.agent)
  add("session", query.session)
  add("after", query.after)
  add("before", query.before)
  if (query.sort !== "newest") add("sort", query.sort)
  add("limit", limit)
  return `/api/search?${params}`
}

import { SEARCH_KINDS } from "../../../contract/search.ts"
import { isInteger, isText, orNull, readRows } from "../../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../../platform/sqlite/Sqlite.ts"
import { cutSnippet, hideMarks, withoutHidden } from "../query/cutSnippet.ts"
import { hitRanges } from "../query/hitRanges.ts"
import { matchExpression } from "../query/matchExpression.ts"
import type { SearchFind, SearchFinds, SearchOrder } from "../searchTypes.ts"
import { nextAdded, readText, roleOf, SLOTS, tagsWanted } from "./entryRows.ts"
import { nearestWords } from "./nearestWords.ts"

/** Ranking reads all hits, so it's limited to the newest ones. */
const MAX_RANKED = 5_000
const RANKINGS_KEPT = 8
const NOTHING: SearchFinds = { finds: [], next: undefined }

const ENTRY = [isText, isInteger, isInteger, isText, isText, isText, orNull(isText)] as const
const FIND_ENTRY = `
  SELECT e.key, e.role, p.kind, p.gateway, p.name, p.agent, p.title
  FROM entries e JOIN places p ON p.id = e.place WHERE e.id = ?`

const WITHIN = "words MATCH ? AND rowid >= CAST(? AS INTEGER) AND rowid < CAST(? AS INTEGER)"
const NEWEST = `SELECT rowid FROM words WHERE ${WITHIN} ORDER BY rowid DESC LIMIT ?`
const RANKED = `
  SELECT ranked.id FROM (
    SELECT rowid AS id, bm25(words, 1.0, 0.5, 0.5, 0.0) AS score FROM words
    WHERE ${WITHIN} ORDER BY rowid DESC LIMIT ${MAX_RANKED}
  ) AS ranked CROSS JOIN entries AS e ON e.id = ranked.id
  WHERE e.added < ? ORDER BY ranked.score, ranked.id DESC`

/** A card's text begins with its title. */
const headingOf = (text: string): string => withoutHidden(hideMarks(text.split("\n", 1)[0] ?? ""))

/** The hit of an entry; `undefined` if it was removed. */
const findOf = (db: SqlConnection, id: number, order: SearchOrder): SearchFind | undefined => {
  const [row] = readRows(ENTRY, db.rows(FIND_ENTRY, id))
  if (row === undefined) return undefined
  const [key, role, kind, gatewayId, name, agent, title] = row
  const text = readText(db, id)
  const place = { kind: SEARCH_KINDS[kind] ?? "log", gatewayId, name, agent }
  const isMarkdown = place.kind !== "log" && roleOf(role) !== "tool"
  return {
    place,
    title: title ?? undefined,
    key,
    at: Math.floor(id / SLOTS),
    role: roleOf(role),
    heading: place.kind === "task" ? headingOf(text) : undefined,
    snippet: cutSnippet(text, hitRanges(text, order.terms), isMarkdown)
  }
}

/** A range of the index: its query, from one id up to, but not including, another. */
interface Range {
  readonly match: string
  readonly from: number
  readonly to: number
}

const idsOf = (db: SqlConnection, sql: string, { match, from, to }: Range, ...more: ReadonlyArray<number>) =>
  readRows([isInteger], db.rows(sql, match, from, to, ...more)).map(([id]) => id)

const newest = (db: SqlConnection, range: Range, order: SearchOrder): SearchFinds => {
  const finds: Array<SearchFind> = []
  let to = Math.min(range.to, order.cursor?.sort === "newest" ? order.cursor.before : range.to)
  for (;;) {
    const ids = idsOf(db, NEWEST, { ...range, to }, order.limit + 1)
    for (const id of ids) {
      // There's a next page if its first hit exists.
      if (finds.length === order.limit) {
        if (readRows(ENTRY, db.rows(FIND_ENTRY, id)).length > 0) return { finds, next: { sort: "newest", before: to } }
        continue
      }
      const find = findOf(db, id, order)
      if (find !== undefined) finds.push(find)
      to = id
    }
    if (ids.length <= order.limit) return { finds, next: undefined }
  }
}

/** Rankings of the last queries, so that their pages fit together. */
const rankings = new Map<string, ReadonlyArray<number>>()

export const forgetRankings = (): void => rankings.clear()

const ranking = (db: SqlConnection, range: Range, added: number): ReadonlyArray<number> => {
  const name = JSON.stringify([range, added])
  const known = rankings.get(name)
  if (known !== undefined) return known
  const ids = idsOf(db, RANKED, range, added)
  rankings.set(name, ids)
  const [oldest] = rankings.keys()
  if (rankings.size > RANKINGS_KEPT && oldest !== undefined) rankings.delete(oldest)
  return ids
}

const ranked = (db: SqlConnection, range: Range, order: SearchOrder): SearchFinds => {
  const { added, position } = order.cursor?.sort === "relevance" ? order.cursor : { added: nextAdded(db), position: 0 }
  const ids = ranking(db, range, added)
  const finds: Array<SearchFind> = []
  let at = position
  for (; at < ids.length && finds.length < order.limit; at += 1) {
    const find = findOf(db, ids[at] ?? 0, order)
    if (find !== undefined) finds.push(find)
  }
  return { finds, next: at < ids.length ? { sort: "relevance", added, position: at } : undefined }
}

/** The places of a conversation; more than one if several gateways have a conversation of that key. */
const placesOf = (db: SqlConnection, session: string): ReadonlyArray<number> =>
  readRows([isInteger], db.rows("SELECT id FROM places WHERE kind = 0 AND name = ?", session)).map(([id]) => id)

const boundary = (at: number | undefined, otherwise: number): number =>
  at === undefined ? otherwise : Math.min(at * SLOTS, Number.MAX_SAFE_INTEGER)

/** One page of hits. */
export const findEntries = (db: SqlConnection, order: SearchOrder): SearchFinds => {
  const places = order.session === undefined ? undefined : placesOf(db, order.session)
  if (places?.length === 0) return NOTHING
  const match = matchExpression(order.terms, tagsWanted(order, places))
  if (match === undefined) return NOTHING
  const range = { match, from: boundary(order.after, 0), to: boundary(order.before, Number.MAX_SAFE_INTEGER) }
  const found = order.sort === "newest" ? newest(db, range, order) : ranked(db, range, order)
  return found.finds.length > 0 || order.cursor !== undefined
    ? found
    : { ...found, nearest: nearestWords(db, order.terms) }
}

import { isInteger, isText, readRows } from "../../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../../platform/sqlite/Sqlite.ts"
import { editDistance } from "../query/editDistance.ts"
import type { QueryTerm } from "../query/parseQuery.ts"
import type { NearestWords } from "../searchTypes.ts"

/** Shorter words are near too many others. */
const SHORTEST = 4
const LONGEST = 40
/** From this length on, two letters may differ. */
const LONG = 6
/** Words of a query that are looked at, and words offered for each. */
const MOST_WORDS = 4
const MOST_OFFERED = 3
/** Words of the index that are compared; reading one costs as much as it occurs. */
const MOST_COMPARED = 4_000

/** Stays for the life of the connection and holds nothing itself. */
const VOCABULARY = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab ('main', 'words', 'row')"
const BETWEEN = `SELECT term, doc FROM temp.vocabulary WHERE term >= ? AND term < ? LIMIT ${MOST_COMPARED}`
const EXISTS = "SELECT term FROM temp.vocabulary WHERE term >= ? AND term < ? LIMIT 1"

const WRITTEN = /^\p{L}[\p{L}\p{M}]+$/u
/** Sorts after every letter. */
const LAST = "\u{10ffff}"

interface Known {
  readonly term: string
  readonly count: number
}

/** Words of the index with the same beginning. */
const beginningWith = (db: SqlConnection, start: string): ReadonlyArray<Known> =>
  readRows([isText, isInteger], db.rows(BETWEEN, start, start + LAST)).map(([term, count]) => ({ term, count }))

/** Beginnings of the words that may be meant: that of the word, and that of its first two letters in the other order. */
const beginnings = (word: string): ReadonlyArray<string> => {
  const [first = "", second = ""] = [...word]
  return first === second ? [first + second] : [first + second, second + first]
}

const nearest = (db: SqlConnection, word: string): ReadonlyArray<string> => {
  const most = word.length < LONG ? 1 : 2
  return beginnings(word)
    .flatMap((start) => beginningWith(db, start))
    .filter(({ term }) => WRITTEN.test(term))
    .map((known) => ({ ...known, distance: editDistance(word, known.term, most) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((one, other) => one.distance - other.distance || other.count - one.count)
    .slice(0, MOST_OFFERED)
    .map(({ term }) => term)
}

/** For each word of a query that occurs nowhere: the words of the index that are written almost like it. */
export const nearestWords = (db: SqlConnection, terms: ReadonlyArray<QueryTerm>): ReadonlyArray<NearestWords> => {
  db.run(VOCABULARY)
  const words = terms
    .filter(({ isWithout }) => !isWithout)
    .flatMap(({ isPrefix, words }) => {
      const [only, ...others] = words
      const isPlain = only !== undefined && others.length === 0 && !only.isRun && WRITTEN.test(only.folded)
      return isPlain ? [{ word: only.folded, isPrefix }] : []
    })
    .filter(({ word }) => word.length >= SHORTEST && word.length <= LONGEST)
  return words.slice(0, MOST_WORDS).flatMap(({ isPrefix, word }) => {
    const isThere = db.rows(EXISTS, word, word + (isPrefix ? LAST : "\0")).length > 0
    const instead = isThere ? [] : nearest(db, word)
    return instead.length === 0 ? [] : [{ word, instead }]
  })
}

import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Schema } from "effect"
import { parseQuery } from "../../src/services/search/query/parseQuery.ts"
import type { AskSearch } from "../../src/services/search/SearchThread.ts"
import { ANYWHERE, type SearchOrder } from "../../src/services/search/searchTypes.ts"
import { Fuzz } from "../../test/support/fuzz.ts"
import { plain, type Scanned, scanned } from "../../test/support/plainScan.ts"

const QUERIES_OF_A_KIND = 6
/** Of a query with more hits, the newest ones are compared. */
const MOST_HITS = 20_000
const PAGE = 100

const decodeLine = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({
      id: Schema.String,
      message: Schema.Struct({ content: Schema.Array(Schema.Struct({ text: Schema.String })) })
    })
  )
)

/** What a query asks of a text, read apart from the index. */
const asks = (query: string): ((text: Scanned) => boolean) => {
  const parts = (query.match(/"[^"]*"|\S+/g) ?? []).map((part): ((text: Scanned) => boolean) => {
    const words = plain(part.replaceAll(/["*]|^-/g, ""))
    if (part.startsWith('"')) return (text) => text.hasPhrase(words)
    if (part.startsWith("-")) return (text) => !text.hasWord(words)
    if (part.endsWith("*")) return (text) => text.hasPrefix(words)
    return /\p{scx=Han}/u.test(part) ? (text) => text.has(part) : (text) => text.hasWord(words)
  })
  return (text) => parts.every((part) => part(text))
}

/** The ids of all hits, newest first. */
const hitsOf = Effect.fnUntraced(function* (ask: AskSearch, query: string) {
  const keys: Array<string> = []
  let order: SearchOrder = { ...ANYWHERE, limit: PAGE, sort: "newest", terms: parseQuery(query) }
  for (;;) {
    const { finds, next } = yield* ask("search", order)
    for (const { key } of finds) keys.push(key)
    if (next === undefined || keys.length >= MOST_HITS) return keys.slice(0, MOST_HITS)
    order = { ...order, cursor: next }
  }
})

/** Fails unless the index finds exactly what a look through every transcript does. */
export const checkHits = Effect.fnUntraced(function* (
  ask: AskSearch,
  folder: string,
  kinds: Readonly<Record<string, (fuzz: Fuzz) => string>>
) {
  const fuzz = new Fuzz(17)
  const wanted = Object.entries(kinds).flatMap(([kind, make]) =>
    Array.from({ length: QUERIES_OF_A_KIND }, () => {
      const query = make(fuzz)
      const hits: Array<string> = []
      return { kind, query, isHit: asks(query), hits }
    })
  )
  const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"))
  const numberOf = (name: string) => Number(name.slice(1, -".jsonl".length))
  for (const name of names.sort((a, b) => numberOf(a) - numberOf(b))) {
    for (const line of readFileSync(join(folder, name), "utf8").trimEnd().split("\n")) {
      const { id, message } = decodeLine(line)
      const text = scanned(message.content.map((part) => part.text).join("\n"))
      for (const { hits, isHit } of wanted) if (isHit(text)) hits.push(id)
    }
  }
  for (const kind of Object.keys(kinds)) {
    let compared = 0
    for (const { hits, query } of wanted.filter((one) => one.kind === kind)) {
      const expected = hits.toReversed().slice(0, MOST_HITS)
      const found = yield* hitsOf(ask, query)
      const differs = expected.findIndex((id, index) => found[index] !== id)
      if (differs >= 0 || found.length !== expected.length) {
        throw new Error(`${query}: ${found.length} hits, ${expected.length} expected, different from ${differs} on`)
      }
      compared += found.length
    }
    console.log(
      `${kind}: ${QUERIES_OF_A_KIND} queries, ${compared} hits: all that a look through every text finds, and no others`
    )
  }
})

import { writeFileSync } from "node:fs"
import { NodeServices } from "@effect/platform-node"
import { Effect } from "effect"
import { parseQuery } from "../../src/services/search/query/parseQuery.ts"
import { makeSearchThread } from "../../src/services/search/SearchThread.ts"
import { ANYWHERE, type SearchOrder } from "../../src/services/search/searchTypes.ts"
import { temporaryFolder } from "./fileServices.ts"
import { answerLine, sessionsFolder } from "./transcripts.ts"

export const ORDER: Omit<SearchOrder, "terms"> = { ...ANYWHERE, limit: 100 }
export const AT = Date.parse("2026-11-20T10:00:00.000Z")
/** After everything that tests write. */
export const LONG_AFTER = AT + 365 * 24 * 60 * 60 * 1000

/** An answer with this id. */
export const line = (id: string, text: string) => answerLine({ id, text })

/** The search's thread over a folder of transcripts. */
const openThread = Effect.gen(function* () {
  const home = yield* temporaryFolder
  const path = sessionsFolder(home)
  const file = `${home}/search.db`
  const { ask, stop } = yield* makeSearchThread(file, Effect.succeed(true))
  const scan = Effect.gen(function* () {
    yield* ask("beginScan", "primary", [{ path, agent: "main" }])
    while (!(yield* ask("scan", LONG_AFTER)).isDone) yield* Effect.void
    while (!(yield* ask("tidy")).isDone) yield* Effect.void
  })
  const find = (q: string) =>
    Effect.map(ask("search", { ...ORDER, terms: parseQuery(q) }), ({ finds }) => finds.map(({ key }) => key).sort())
  /** The ids of what's found, and their conversations. */
  const found = (q: string) =>
    Effect.map(ask("search", { ...ORDER, terms: parseQuery(q) }), ({ finds }) =>
      finds.map(({ key, place }) => [key, place.name]).sort()
    )
  const name = (names: object) => writeFileSync(`${path}/sessions.json`, JSON.stringify(names))
  return { home, path, file, ask, stop, scan, find, found, name }
})

/** Runs a test with such a thread. */
export const withSearchThread = <A, E>(
  test: (thread: Effect.Success<typeof openThread>) => Effect.Effect<A, E>
): Effect.Effect<void, unknown> =>
  openThread.pipe(Effect.flatMap(test), Effect.asVoid, Effect.scoped, Effect.provide(NodeServices.layer))

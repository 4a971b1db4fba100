import { mkdirSync } from "node:fs"
import { NodeServices } from "@effect/platform-node"
import { Effect, Schedule, Schema } from "effect"
import { SearchIndex, SearchPage } from "../../src/contract/schema/search.ts"
import { parseQuery } from "../../src/services/search/query/parseQuery.ts"
import { makeSearchThread } from "../../src/services/search/SearchThread.ts"
import { ANYWHERE, conversation } from "../../src/services/search/searchTypes.ts"
import { fillDisk, makeRoom } from "./diskFill.ts"
import { temporaryFolder } from "./fileServices.ts"
import { makeApp } from "./makeApp.ts"
import { answerLine, lines, sessionsFolder, write } from "./transcripts.ts"

// Fills a console's disk while it searches, frees space, and prints the search's reports.
const disk = process.argv[2] ?? ""

const decodePage = Schema.decodeUnknownEffect(SearchPage)
const decodeIndex = Schema.decodeUnknownEffect(SearchIndex)

const tell = (what: string, said: unknown) =>
  Effect.sync(() => process.stdout.write(`${JSON.stringify({ what, said })}\n`))

/** An index that's opened and queried on a full disk. */
const askOnFullDisk = Effect.gen(function* () {
  const { ask, stop } = yield* makeSearchThread(`${disk}/other.db`, Effect.succeed(true))
  const place = conversation("primary", "agent:main:a")
  const order = { ...ANYWHERE, limit: 9, terms: parseQuery("pump") }
  const find = Effect.map(ask("search", order), ({ finds }) => finds.length)
  yield* ask("put", [{ place, key: "1", at: 1, role: "user", text: "pump", stamp: "" }])
  // As after half a minute in which nobody searched: it has to be opened without room for another file.
  yield* stop
  yield* Effect.sync(() => fillDisk(disk))
  yield* tell("found by a new thread", yield* find)
  yield* tell("SQLite's own refusal", (yield* Effect.flip(ask("setReadTo", place, 1))).reason)
  yield* tell("found after it", yield* find)
  yield* Effect.sync(() => makeRoom(disk))
})

const program = Effect.gen(function* () {
  yield* askOnFullDisk
  const gatewayHome = yield* temporaryFolder
  write(sessionsFolder(gatewayHome), "a.jsonl", lines(answerLine({ text: "The pump is here" })))
  mkdirSync(`${disk}/svc`)
  const app = yield* makeApp({ settings: { svcHome: `${disk}/svc`, gatewayHome } })
  let sent = 0
  // A different client each time, because rate limits aren't tested here.
  const get = (path: string) =>
    Effect.suspend(() => app.request(path, { peer: `10.0.${++sent >> 8}.${sent & 255}` })).pipe(
      Effect.flatMap(app.json)
    )
  const search = (word: string) => Effect.flatMap(get(`/api/search?q=${word}`), decodePage)
  const until = <A, E>(ask: Effect.Effect<A, E>, isIt: (answer: A) => boolean) =>
    Effect.repeat(ask, { schedule: Schedule.spaced("50 millis"), until: isIt })
  const index = Effect.flatMap(get("/api/search/index"), decodeIndex)
  const card = (title: string) =>
    Effect.map(
      app.request("/api/kanban/tasks", { method: "POST", body: JSON.stringify({ title }) }),
      ({ status }) => status
    )
  const hits = (answer: SearchPage) => answer.hits.length

  yield* until(search("pump"), (answer) => answer.state === "ready" && hits(answer) === 1)
  yield* Effect.sync(() => fillDisk(disk))
  // Less than the space that the index leaves free, and enough for other data.
  yield* Effect.sync(() => makeRoom(disk, 16))
  yield* tell("a card while there's little room", yield* card("valve"))
  yield* tell("the index then", yield* until(index, (answer) => answer.paused !== undefined))
  yield* tell("what was there", hits(yield* search("pump")))
  yield* tell("what's new", yield* search("valve"))
  yield* Effect.sync(() => fillDisk(disk))
  yield* tell("what was there, on a full disk", hits(yield* search("pump")))
  yield* tell("cards on a full disk", (yield* app.request("/api/kanban/tasks")).status)
  yield* Effect.sync(() => makeRoom(disk))
  yield* until(search("valve"), (answer) => hits(answer) === 1)
  yield* tell("the index with room", yield* until(index, (answer) => answer.paused === undefined))
  yield* tell("another card", yield* card("tap"))
  yield* until(search("tap"), (answer) => hits(answer) === 1)
  yield* tell("all of it", hits(yield* search("pump")))
})

Effect.runFork(program.pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

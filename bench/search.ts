import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { Effect, Logger } from "effect"
import { parseQuery } from "../src/services/search/query/parseQuery.ts"
import { type AskSearch, makeSearchThread } from "../src/services/search/SearchThread.ts"
import { ANYWHERE } from "../src/services/search/searchTypes.ts"
import { Fuzz } from "../test/support/fuzz.ts"
import { benchBesides } from "./search/besides.ts"
import { checkHits } from "./search/check.ts"
import { LATER, MB, makeCorpus } from "./search/corpus.ts"
import { benchSessions } from "./search/sessions.ts"
import { at, processorNow, report, residentNow } from "./search/times.ts"

const USAGE = "npm run bench -- search [--size 1gb [--check]] [--sessions 100000]"
const QUERIES = 200
/** Slow kinds of queries are asked for less often. */
const QUERIES_MS = 15_000
const AIM = "; aim: p99 50 ms"
/** How often a long build says how far it is. */
const SAID_EVERY_MS = 60_000

/** `250mb`, `1gb`, or a number of megabytes, in bytes. */
const sizeOf = (text: string): number => {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(mb|gb)?$/i.exec(text) ?? []
  if (number === undefined) throw new Error(`${text} is no size; usage: ${USAGE}`)
  return Number(number) * MB * (unit?.toLowerCase() === "gb" ? 1024 : 1)
}

/** Reads all new transcripts into the index. */
const build = Effect.fnUntraced(function* (ask: AskSearch, folder: string, bytes: number) {
  const begun = performance.now()
  const steps: Array<number> = []
  let resident = 0
  let sayAt = begun + SAID_EVERY_MS
  yield* ask("beginScan", "primary", [{ path: folder, agent: "main" }])
  for (let isDone = false; !isDone; ) {
    const from = performance.now()
    const step = yield* ask("scan", LATER)
    isDone = step.isDone
    steps.push(performance.now() - from)
    resident = Math.max(resident, residentNow())
    if (performance.now() < sayAt) continue
    sayAt += SAID_EVERY_MS
    console.error(`  (${Math.round((performance.now() - begun) / 1000)} s: ${(100 * step.progress).toFixed(0)} %)`)
  }
  const seconds = (performance.now() - begun) / 1000
  console.log(
    `index: ${(bytes / MB / seconds).toFixed(1)} MB/s (${seconds.toFixed(0)} s), memory at most ${resident.toFixed(0)} MB`
  )
  report("one step of it, for which a search may wait", steps)
})

const askAll = Effect.fnUntraced(function* (ask: AskSearch, queries: Readonly<Record<string, (fuzz: Fuzz) => string>>) {
  for (const sort of ["newest", "relevance"] as const) {
    for (const [name, make] of Object.entries(queries)) {
      const fuzz = new Fuzz(13)
      const times: Array<number> = []
      const processor: Array<number> = []
      const begun = performance.now()
      for (let round = 0; round < QUERIES && performance.now() - begun < QUERIES_MS; round++) {
        const terms = parseQuery(make(fuzz))
        const from = performance.now()
        const before = processorNow()
        yield* ask("search", { ...ANYWHERE, limit: 30, sort, terms })
        times.push(performance.now() - from)
        processor.push(processorNow() - before)
      }
      report(
        `${sort === "newest" ? "" : "by relevance, "}${name}`,
        times,
        `; of the processor p50 ${at(processor, 0.5)}, p99 ${at(processor, 0.99)}${AIM}`
      )
    }
  }
})

/** Every hit of some queries of each kind, beside a look through every text. */
const check = (folder: string, file: string, size: number) =>
  Effect.gen(function* () {
    const corpus = makeCorpus(folder)
    const { ask } = yield* makeSearchThread(file, Effect.succeed(true))
    const { bytes, messages } = corpus.growTo(size)
    console.log(`\n${(bytes / MB).toFixed(0)} MB of texts, ${messages} messages`)
    yield* build(ask, folder, bytes)
    yield* checkHits(ask, folder, corpus.queries)
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([])))

/** A quarter of the texts first, so that it shows what grows with them. */
const measure = (folder: string, file: string, size: number) =>
  Effect.gen(function* () {
    const corpus = makeCorpus(folder)
    const { ask } = yield* makeSearchThread(file, Effect.succeed(true))
    let before = 0
    for (const limit of [size / 4, size]) {
      const { bytes, files, messages } = corpus.growTo(limit)
      console.log(`\n${(bytes / MB).toFixed(0)} MB of texts, ${messages} messages, ${files} conversations`)
      yield* build(ask, folder, bytes - before)
      before = bytes
      const from = performance.now()
      const counts = yield* ask("counts")
      const took = (performance.now() - from).toFixed(0)
      if (counts.messages !== messages) throw new Error(`the index has ${counts.messages} messages`)
      console.log(
        `on disk: ${(counts.bytes / MB).toFixed(0)} MB, ${((100 * counts.bytes) / bytes).toFixed(0)} % of the texts (counted in ${took} ms)`
      )
      yield* askAll(ask, corpus.queries)
    }
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([])))

const benchSize = async (home: string, size: number, isCheck: boolean): Promise<void> => {
  const folder = join(home, "agents/main/sessions")
  mkdirSync(folder, { recursive: true })
  const file = join(home, "search.db")
  if (isCheck) return Effect.runPromise(check(folder, file, size))
  await Effect.runPromise(measure(folder, file, size))
  await benchBesides(home)
}

/** Building and asking the search index over generated conversations, or over very many. */
export const run = async (args: ReadonlyArray<string>): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: { size: { type: "string" }, sessions: { type: "string" }, check: { type: "boolean", default: false } }
  })
  const home = mkdtempSync(join(tmpdir(), "agent-console-bench-search-"))
  try {
    if (values.sessions !== undefined) await benchSessions(home, Number(values.sessions))
    if (values.size !== undefined || values.sessions === undefined)
      await benchSize(home, sizeOf(values.size ?? "1gb"), values.check)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

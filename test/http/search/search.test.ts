import { mkdirSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule, Schema } from "effect"
import { SearchIndex, SearchPage } from "../../../src/contract/schema/search.ts"
import { makeApp } from "../../support/makeApp.ts"
import { temporaryDirectory } from "../../support/runConsole.ts"
import { answerLine, lines, sessionsFolder, userLine, write } from "../../support/transcripts.ts"

const decodePage = Schema.decodeUnknownEffect(SearchPage)
const decodeIndex = Schema.decodeUnknownEffect(SearchIndex)

/** The app with something of each kind, and its search. */
const openApp = Effect.gen(function* () {
  const gatewayHome = yield* temporaryDirectory
  const workspace = `${gatewayHome}/workspace`
  mkdirSync(`${workspace}/memory`, { recursive: true })
  writeFileSync(`${workspace}/MEMORY.md`, "# Garden\n- The greenhouse needs a new pump\n")
  writeFileSync(`${workspace}/memory/2025-11-20.md`, "# Monday\n- Ordered the pump\n")
  writeFileSync(`${workspace}/memory/2025-11-18-boats.md`, "# Boats\n- Sold the bilge keel\n")
  writeFileSync(`${workspace}/SOUL.md`, "You look after the greenhouse.\n")
  const folder = sessionsFolder(gatewayHome)
  write(folder, "sessions.json", JSON.stringify({ "agent:main:garden": { sessionId: "s1", label: "Garden" } }))
  const tool = userLine("pump: 12 bar")
    .replace('"id":"fef6411c"', '"id":"77777777"')
    .replace('"role":"user"', '"role":"toolResult"')
  write(folder, "s1.jsonl", lines(userLine("Is the pump there?"), answerLine({ text: "The pump arrived." }), tool))
  const app = yield* makeApp({
    settings: {
      gatewayHome,
      memoryPath: `${workspace}/MEMORY.md`,
      memoryDir: `${workspace}/memory`
    }
  })
  const get = (path: string) => Effect.flatMap(app.request(path), app.json)
  const search = (query: string) => Effect.flatMap(get(`/api/search?${query}`), decodePage)
  const patiently = (query: string, isIt: (page: SearchPage) => boolean) =>
    Effect.repeat(search(query), { schedule: Schedule.spaced("400 millis"), until: isIt })
  const ready = patiently("q=anything", ({ state }) => state === "ready")
  const send = (method: string, path: string, body?: object) =>
    app.request(path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } })
    })
  return { ...app, search, patiently, ready, send, get }
})

const kindsOf = ({ hits }: SearchPage) => hits.map(({ kind }) => kind).toSorted()

describe("GET /api/search", () => {
  it.live("offers the nearest words where a word occurs nowhere", () =>
    Effect.gen(function* () {
      const { patiently, ready, search } = yield* openApp
      yield* ready
      yield* patiently("q=greenhouse", ({ hits }) => hits.length > 0)
      assert.deepStrictEqual((yield* search("q=greenhuose")).nearest, [{ word: "greenhuose", instead: ["greenhouse"] }])
      assert.deepStrictEqual((yield* search("q=rgeenhouse*")).nearest, [
        { word: "rgeenhouse", instead: ["greenhouse"] }
      ])
      // Known words that don't occur together, short ones, and hits need no other words.
      assert.isUndefined((yield* search("q=greenhouse keel")).nearest)
      assert.isUndefined((yield* search("q=pmp")).nearest)
      assert.isUndefined((yield* search("q=pump")).nearest)
      assert.isUndefined((yield* search("q=qqqqzzzz")).nearest)
    })
  )

  it.live("finds messages, cards, memory, documents and log entries, the newest first", () =>
    Effect.gen(function* () {
      const { patiently, ready, search, send } = yield* openApp
      yield* ready
      yield* send("POST", "/api/kanban/tasks", { title: "Install the PUMP", description: "in the greenhouse" })
      yield* send("POST", "/api/agentlog", { message: "pump installed" })
      const page = yield* patiently("q=pump", ({ hits }) => hits.length === 7)
      assert.deepStrictEqual(kindsOf(page), ["log", "memory", "memory", "message", "message", "message", "task"])
      const times = page.hits.map(({ at }) => at)
      assert.deepStrictEqual(
        times,
        times.toSorted((a, b) => b - a)
      )
      const message = page.hits.find(({ role }) => role === "assistant")
      assert.deepInclude(message, {
        kind: "message",
        gatewayId: "primary",
        sessionKey: "agent:main:garden",
        sessionTitle: "Garden",
        messageId: "01e6350b",
        snippet: [
          { text: "The ", hit: false },
          { text: "pump", hit: true },
          { text: " arrived.", hit: false }
        ]
      })
      assert.deepInclude(
        page.hits.find(({ kind }) => kind === "task"),
        { title: "Install the PUMP" }
      )
      assert.deepStrictEqual((yield* search("q=pump&kind=memory")).hits.map(({ path }) => path).toSorted(), [
        "MEMORY.md",
        "memory/2025-11-20.md"
      ])
      // What was noted about a day is of that day, although its file was written just now.
      assert.strictEqual(
        page.hits.find(({ path }) => path === "memory/2025-11-20.md")?.at,
        Date.parse("2025-11-20T23:59:59.999")
      )
      assert.strictEqual(
        (yield* search("q=bilge")).hits.find(({ path }) => path === "memory/2025-11-18-boats.md")?.at,
        Date.parse("2025-11-18T23:59:59.999")
      )
      assert.lengthOf((yield* search(`q=pump&kind=memory&after=${Date.parse("2025-11-21")}`)).hits, 1)
      assert.deepStrictEqual(
        (yield* search("q=greenhouse&kind=document")).hits.map(({ path }) => path),
        ["SOUL.md"]
      )
      assert.deepStrictEqual(kindsOf(yield* search("q=pump&role=tool")), ["message"])
      assert.lengthOf((yield* search("q=pump&session=agent:main:garden")).hits, 3)
      assert.lengthOf((yield* search("q=pump&session=agent:main:other")).hits, 0)
      assert.lengthOf((yield* search("q=pump&agent=main&kind=message")).hits, 3)
      assert.lengthOf((yield* search("q=pump&agent=other")).hits, 0)
    }).pipe(Effect.scoped)
  )
})

describe("the index", () => {
  it.live("says what's in it, leaves out what tools returned, and can be deleted", () =>
    Effect.gen(function* () {
      const { get, patiently, ready, search, send } = yield* openApp
      yield* ready
      const before = yield* Effect.flatMap(get("/api/search/index"), decodeIndex)
      assert.deepInclude(before, { state: "ready", messages: 3, documents: 4, toolOutput: true })
      assert.isAbove(before.bytes ?? 0, 0)
      yield* send("PATCH", "/api/search/index", { toolOutput: false })
      assert.lengthOf((yield* search("q=bar")).hits, 0)
      yield* send("PATCH", "/api/search/index", { toolOutput: true })
      assert.lengthOf((yield* patiently("q=bar", ({ state }) => state === "ready")).hits, 1)
      yield* send("DELETE", "/api/search/index")
      assert.deepInclude(yield* get("/api/search/index"), { state: "building", messages: 0, bytes: 0 })
      assert.lengthOf((yield* patiently("q=bar", ({ state }) => state === "ready")).hits, 1)
      yield* send("POST", "/api/search/index/rebuild")
      assert.lengthOf((yield* patiently("q=bar", ({ state }) => state === "ready")).hits, 1)
    }).pipe(Effect.scoped)
  )
})

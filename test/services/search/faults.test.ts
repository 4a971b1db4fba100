import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Result, Schedule, Schema } from "effect"
import { SearchPage } from "../../../src/contract/schema/search.ts"
import { openDatabase } from "../../../src/services/platform/sqlite/openDatabase.ts"
import { parseQuery } from "../../../src/services/search/query/parseQuery.ts"
import { searchMigrations } from "../../../src/services/search/store/searchMigrations.ts"
import { failures, makeAnsweringGateway } from "../../support/answeringGateway.ts"
import { damageFile } from "../../support/damageFile.ts"
import { temporaryFolder } from "../../support/fileServices.ts"
import { makeJsonApp } from "../../support/gatewayApp.ts"
import { AT, line, ORDER, withSearchThread } from "../../support/searchThread.ts"
import { lines } from "../../support/transcripts.ts"

const live = (title: string, test: Effect.Effect<void, unknown, never>) => it.live(title, () => test, 30_000)

describe("transcripts", () => {
  live(
    "are read on from where they were, also after a restart, and again when they were cut, replaced or renamed",
    withSearchThread(({ path, scan, find, stop, name }) =>
      Effect.gen(function* () {
        name({ "agent:main:a": { sessionId: "a" } })
        writeFileSync(`${path}/a.jsonl`, lines(line("1", "pump one"), line("2", "pump two")))
        yield* scan
        assert.deepStrictEqual(yield* find("pump"), ["1", "2"])
        const half = line("3", "pump three")
        appendFileSync(`${path}/a.jsonl`, half.slice(0, 50))
        yield* scan
        assert.deepStrictEqual(yield* find("pump"), ["1", "2"])
        yield* stop
        appendFileSync(`${path}/a.jsonl`, `${half.slice(50)}\n`)
        yield* scan
        assert.deepStrictEqual(yield* find("pump"), ["1", "2", "3"])
        truncateSync(`${path}/a.jsonl`, lines(line("1", "pump one")).length)
        yield* scan
        assert.deepStrictEqual(yield* find("pump"), ["1"])
        writeFileSync(`${path}/b.jsonl`, lines(line("9", "pump nine")))
        renameSync(`${path}/b.jsonl`, `${path}/a.jsonl`)
        yield* scan
        assert.deepStrictEqual(yield* find("pump"), ["9"])
        // The gateway sets a deleted conversation's file aside.
        renameSync(`${path}/a.jsonl`, `${path}/a.jsonl.deleted.2026-11-20T10-00-00.000Z`)
        yield* scan
        assert.deepStrictEqual(yield* find("pump"), [])
      })
    )
  )

  live(
    "may have lines of 10 MB, noise and half lines",
    withSearchThread(({ path, scan, find }) =>
      Effect.gen(function* () {
        const noise = Buffer.from([0xff, 0xfe, 0x00, 0x22, 0x7b, 0x0a, 0x80, 0x0a])
        const fd = openSync(`${path}/a.jsonl`, "w")
        writeSync(
          fd,
          lines(line("1", "pump one"), "{", "null", "[]", '{"type":"message","message":{"role":"user"}}', "")
        )
        writeSync(fd, noise)
        writeSync(fd, lines(line("2", `pump two ${"x ".repeat(5 * 1024 * 1024)} unfindable`), line("3", "pump three")))
        closeSync(fd)
        yield* scan
        assert.deepStrictEqual(yield* find("pump"), ["1", "2", "3"])
      })
    )
  )

  live(
    "are found before the gateway's list names them, and move to their conversation without doubles",
    withSearchThread(({ path, scan, find, ask, name }) =>
      Effect.gen(function* () {
        writeFileSync(`${path}/a.jsonl`, lines(line("1", "pump one")))
        yield* scan
        assert.deepStrictEqual(yield* find("pump"), ["1"])
        name({ "agent:main:a": { sessionId: "a", label: "Garden" } })
        yield* ask("put", [
          {
            place: { kind: "message", gatewayId: "primary", name: "agent:main:a", agent: "main" },
            key: "1",
            at: AT,
            role: "assistant",
            text: "pump one",
            stamp: ""
          }
        ])
        yield* scan
        const { finds } = yield* ask("search", { ...ORDER, terms: parseQuery("pump") })
        assert.deepStrictEqual(
          finds.map(({ place, title }) => [place.name, title]),
          [["agent:main:a", "Garden"]]
        )
      })
    )
  )
})

describe("the index's file", () => {
  live(
    "is private, and replaced by a new one when it's damaged, no database or of a newer version",
    withSearchThread(({ file, path, scan, find, stop }) =>
      Effect.gen(function* () {
        writeFileSync(`${path}/a.jsonl`, lines(line("1", "pump one")))
        yield* scan
        assert.strictEqual(statSync(file).mode & 0o777, 0o600)
        for (const spoil of [
          () => writeFileSync(file, "not a database, but long enough to be looked at".repeat(100)),
          () => {
            const db = new DatabaseSync(file)
            db.exec("PRAGMA user_version = 99")
            db.close()
          },
          () => writeFileSync(file, readFileSync(file).subarray(0, 6000))
        ]) {
          yield* stop
          for (const side of ["-wal", "-shm"]) rmSync(`${file}${side}`, { force: true })
          spoil()
          yield* scan
          assert.deepStrictEqual(yield* find("pump"), ["1"])
        }
      })
    )
  )

  live(
    "of an earlier version is emptied once, and everything is read anew",
    withSearchThread(({ file, path, scan, find, stop, ask }) =>
      Effect.gen(function* () {
        const options = { path: file, what: "it", migrations: searchMigrations.slice(0, 1), onDamage: "fail" } as const
        const database = Result.getOrThrow(openDatabase({ ...options, isLarge: true }, ""))
        database.transaction((db) => {
          db.run("INSERT INTO places VALUES (1, 0, 'primary', 'file:main/a', 'main', NULL, NULL)")
          db.run("INSERT INTO entries VALUES (1024, 1, '1', 1, '8', 1, 1)")
          db.run("INSERT INTO words (rowid, text, parts, tags) VALUES (1024, 'strasse', '', 'k0')")
          db.run("UPDATE state SET complete = 1")
          return Result.void
        })
        database.close()
        writeFileSync(`${path}/a.jsonl`, lines(line("1", "Straße")))
        assert.deepStrictEqual(yield* find("strasse"), [])
        assert.isFalse(yield* ask("isComplete"))
        yield* scan
        yield* ask("setComplete")
        assert.deepStrictEqual(yield* find("strasse"), ["1"])
        yield* stop
        assert.deepStrictEqual(yield* find("strasse"), ["1"])
        assert.isTrue(yield* ask("isComplete"))
      })
    )
  )
})

const decodePage = Schema.decodeUnknownEffect(SearchPage)

/** An app whose gateway has one conversation in its history. */
const openApp = Effect.fnUntraced(function* (beforeHistory: Effect.Effect<void> = Effect.void) {
  const message = { role: "assistant", content: [{ type: "text", text: "The pump is here" }], timestamp: AT }
  let isDeleted = false
  const gateway = yield* makeAnsweringGateway(
    ({ method, params }) => {
      switch (method) {
        case "sessions.list":
          return Effect.succeed({
            ts: AT,
            hasMore: false,
            sessions:
              "archived" in params && params.archived === false && !isDeleted
                ? [{ key: "agent:main:a", updatedAt: AT, label: "Garden" }]
                : []
          })
        case "chat.history":
          return Effect.as(beforeHistory, {
            messages:
              "sessionKey" in params && params.sessionKey === "agent:main:a" && !isDeleted
                ? [{ ...message, __openclaw: { id: "m1" } }]
                : [],
            hasMore: false
          })
        case "cron.list":
          return Effect.succeed({ jobs: [] })
        default:
          return Effect.fail(failures.missingScope)
      }
    },
    { protocol: 4, version: "2026.9.6", scopes: [], methods: new Set() }
  )
  const home = yield* temporaryFolder
  const app = yield* makeJsonApp({ gateway: gateway.layer, settings: { svcHome: `${home}/svc`, gatewayHome: home } })
  const search = (query: string) =>
    Effect.flatMap(app.send("GET", `/api/search?${query}`), ({ body }) => decodePage(body))
  const until = (query: string, isIt: (page: SearchPage) => boolean) =>
    Effect.option(search(query)).pipe(
      Effect.repeat({
        // The console answers sixty searches a minute.
        schedule: Schedule.spaced("100 millis"),
        until: (page) => page._tag === "Some" && isIt(page.value)
      })
    )
  const remove = Effect.gen(function* () {
    isDeleted = true
    yield* gateway.emit("sessions.changed", { sessionKey: "agent:main:a", reason: "delete", ts: AT })
  })
  const say = (id: string, text: string, sessionKey = "agent:main:a") =>
    gateway.emit("session.message", {
      sessionKey,
      messageId: id,
      message: { role: "assistant", content: [{ type: "text", text }], timestamp: AT + 1 }
    })
  return { ...app, gateway, search, until, say, remove, file: `${home}/svc/search.db` }
})

const app = (
  title: string,
  test: Effect.Effect<void, unknown, import("effect").Scope.Scope | import("effect").FileSystem.FileSystem>
) => it.live(title, () => test.pipe(Effect.scoped, Effect.provide(NodeServices.layer)), 30_000)

describe("the search of a running console", () => {
  app(
    "has the history and live messages, once, and nothing of a deleted conversation",
    Effect.gen(function* () {
      const { remove, say, search, until } = yield* openApp()
      yield* until("q=pump", ({ hits, state }) => hits.length === 1 && state === "ready")
      assert.strictEqual((yield* search("q=pump")).hits[0]?.sessionTitle, "Garden")
      yield* say("m1", "The pump is here")
      yield* say("m2", "Another pump")
      yield* until("q=pump", ({ hits }) => hits.length === 2)
      yield* remove
      yield* until("q=pump", ({ hits }) => hits.length === 0)
    })
  )

  app(
    "stores nothing of a conversation that's deleted while its history is on the way",
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const goOn = yield* Deferred.make<void>()
      const wait = Effect.andThen(Deferred.succeed(asked, undefined), Deferred.await(goOn))
      const { remove, say, search, until } = yield* openApp(wait)
      yield* Deferred.await(asked)
      yield* say("m9", "valve", "agent:main:b")
      yield* remove
      yield* say("m10", "valve", "agent:main:b")
      // Both are in, so the deletion between them has been heard.
      yield* until("q=valve", ({ hits }) => hits.length === 2)
      yield* Deferred.succeed(goOn, undefined)
      yield* until("q=valve", ({ state }) => state === "ready")
      assert.lengthOf((yield* search("q=pump")).hits, 0)
    })
  )

  app(
    "heals by building again when its file is deleted or damaged while it runs, and the rest goes on",
    Effect.gen(function* () {
      const { file, search, send, until } = yield* openApp()
      yield* until("q=pump", ({ hits, state }) => hits.length === 1 && state === "ready")
      damageFile(file)
      yield* send("POST", "/api/search/index/rebuild")
      yield* until("q=pump", ({ hits, state }) => hits.length === 1 && state === "ready")
      rmSync(file)
      assert.strictEqual((yield* send("GET", "/api/search?q=pump")).status, 200)
      assert.strictEqual((yield* send("POST", "/api/kanban/tasks", { title: "valve" })).status, 201)
      yield* until("q=valve", ({ hits }) => hits.length === 1)
      assert.lengthOf((yield* search("q=pump")).hits, 1)
    })
  )

  app(
    "answers with a sentence where it can't have a file, and the rest goes on",
    Effect.gen(function* () {
      const home = yield* temporaryFolder
      mkdirSync(`${home}/svc/search.db/inside`, { recursive: true })
      const { send } = yield* makeJsonApp({ settings: { svcHome: `${home}/svc`, gatewayHome: home } })
      const refused = yield* send("GET", "/api/search?q=pump")
      assert.strictEqual(refused.status, 503)
      assert.strictEqual(refused.body.error, "search_unavailable")
      assert.match(refused.body.details, /^the console can't use the search index \(/)
      assert.notInclude(refused.body.details, home)
      assert.strictEqual((yield* send("POST", "/api/kanban/tasks", { title: "valve" })).status, 201)
      assert.strictEqual((yield* send("POST", "/api/agentlog", { message: "valve" })).status, 200)
    })
  )

  app(
    "refuses an empty question, a gateway it doesn't know and a damaged cursor, and nothing else",
    Effect.gen(function* () {
      const { send } = yield* openApp()
      const status = (query: string) =>
        Effect.map(send("GET", `/api/search?${query}`), (answer) => [answer.status, answer.body.error])
      assert.deepStrictEqual(yield* status("q="), [400, "validation_error"])
      assert.deepStrictEqual(yield* status(""), [400, "validation_error"])
      assert.deepStrictEqual(yield* status("q=+%20"), [400, "validation_error"])
      assert.deepStrictEqual(yield* status("q=a&gateway=nowhere"), [404, "unknown_gateway"])
      assert.deepStrictEqual(yield* status("q=a&cursor=x"), [400, "validation_error"])
      assert.deepStrictEqual(yield* status("q=a&kind=picture"), [400, "validation_error"])
      const hostile = [
        '"',
        "AND OR NOT",
        "🙂",
        "مرحبا",
        "'; DROP TABLE entries; --",
        "x".repeat(10_240),
        "\0",
        "-a",
        "*",
        "NEAR(a b)",
        "\ud800"
      ]
      for (const q of hostile) {
        const [code] = yield* status(`gateway=primary&q=${encodeURIComponent(q.toWellFormed())}`)
        assert.strictEqual(code, 200, q)
      }
      assert.deepStrictEqual((yield* status("q=%ff%fe"))[0], 200)
    })
  )
})

import { mkdirSync, rmdirSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type FileSystem, Schedule, type Scope } from "effect"
import { temporaryFolder } from "../../support/fileServices.ts"
import { makeJsonApp } from "../../support/gatewayApp.ts"

const LOCKED =
  "another program has locked the search index (search.db in the console's own folder): close that program, and indexing continues within a minute"
const UNUSABLE =
  "the console can't use the search index (search.db in the console's own folder): check that its user can read and write it, and see the console's log for the cause; the console tries again every minute"

/** An app that has a card, and an index which nobody has open. */
const openApp = Effect.gen(function* () {
  const home = yield* temporaryFolder
  const app = yield* makeJsonApp({ settings: { svcHome: `${home}/svc`, gatewayHome: home } })
  const { send } = app
  const found = (word: string) =>
    send("GET", `/api/search?q=${word}`).pipe(
      Effect.repeat({
        schedule: Schedule.spaced("50 millis"),
        until: ({ body }) => body.state === "ready" && body.paused === undefined && body.hits.length === 1
      })
    )
  assert.strictEqual((yield* send("POST", "/api/kanban/tasks", { title: "pump" })).status, 201)
  yield* found("pump")
  assert.strictEqual((yield* send("DELETE", "/api/search/index")).status, 200)
  return { send, found, file: `${home}/svc/search.db` }
})

const live = (
  title: string,
  test: (app: Effect.Success<typeof openApp>) => Effect.Effect<void, unknown, Scope.Scope | FileSystem.FileSystem>
) => it.live(title, () => openApp.pipe(Effect.flatMap(test), Effect.scoped, Effect.provide(NodeServices.layer)), 60_000)

/** Another program that has the file to itself. */
const locked = (file: string) =>
  Effect.sync(() => {
    const other = new DatabaseSync(file)
    other.exec("BEGIN EXCLUSIVE")
    return other
  })

describe("an index that can't be used", () => {
  live("because another program has locked it, says so, the rest goes on, and it goes on when that ends", (app) =>
    Effect.gen(function* () {
      const { file, found, send } = app
      const other = yield* locked(file)
      const refused = yield* send("GET", "/api/search?q=pump")
      assert.deepInclude(refused, { status: 503 })
      assert.strictEqual(refused.body.details, LOCKED)
      const index = yield* send("GET", "/api/search/index")
      assert.deepInclude(index.body, { paused: LOCKED, toolOutput: true })
      assert.notProperty(index.body, "messages")
      assert.strictEqual((yield* send("POST", "/api/kanban/tasks", { title: "valve" })).status, 201)
      assert.strictEqual((yield* send("GET", "/api/kanban/tasks")).body.total, 2)
      assert.strictEqual((yield* send("POST", "/api/agentlog", { message: "tap" })).status, 200)
      other.close()
      // The first question that's answered makes it look at once.
      yield* found("valve")
      yield* found("pump")
      assert.deepInclude((yield* send("GET", "/api/search/index")).body, { state: "ready", documents: 3 })
    })
  )

  live("keeps what was chosen, and is kept complete, when a change of it fails", ({ file, found, send }) =>
    Effect.gen(function* () {
      mkdirSync(file)
      assert.strictEqual((yield* send("GET", "/api/search?q=pump")).body.details, UNUSABLE)
      for (const [method, path, body] of [
        ["PATCH", "/api/search/index", { toolOutput: false }],
        ["POST", "/api/search/index/rebuild", undefined],
        ["DELETE", "/api/search/index", undefined]
      ] as const) {
        const { body: answer, status } = yield* send(method, path, body)
        assert.deepStrictEqual([method, status, answer.details], [method, 503, UNUSABLE])
        assert.deepInclude((yield* send("GET", "/api/search/index")).body, { paused: UNUSABLE, toolOutput: true })
      }
      rmdirSync(file)
      assert.strictEqual((yield* send("POST", "/api/kanban/tasks", { title: "valve" })).status, 201)
      yield* found("valve")
      yield* found("pump")
    })
  )
})

import { copyFileSync, renameSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { consoleAddress } from "../support/consoleAddress.ts"
import { startConsole, temporaryDirectory } from "../support/runConsole.ts"

const running = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const home = join(directory, "home")
  const console = yield* startConsole({
    directory,
    variables: {
      GATEWAY_TOKEN: "token",
      GATEWAY_URL: "http://127.0.0.1:1",
      GATEWAY_HOME: join(directory, "gateway"),
      SVC_HOME: home,
      PORT: "0"
    }
  })
  const address = yield* consoleAddress(console)
  const fetched = (path: string, init?: RequestInit) =>
    Effect.promise(async () => {
      const response = await fetch(`${address}${path}`, init)
      return { status: response.status, text: await response.text() }
    })
  const create = (title: string) =>
    fetched("/api/kanban/tasks", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ title })
    })
  return { console, fetched, create, file: join(home, "console.db") }
})

describe("the console's own database", () => {
  it.live("locked by another program holds up changes alone", () =>
    Effect.gen(function* () {
      const { create, fetched, file } = yield* running
      const other = yield* Effect.acquireRelease(
        Effect.sync(() => new DatabaseSync(file)),
        (db) => Effect.sync(() => db.close())
      )
      other.exec("BEGIN IMMEDIATE")
      const writing = yield* Effect.forEach(["one", "two", "three"], (title) => Effect.forkChild(create(title)))
      // As many answers as a health check asks for in a minute, while no change has one.
      for (let asked = 0; asked < 6; asked += 1) {
        assert.strictEqual((yield* fetched("/health")).status, 200)
        assert.strictEqual((yield* fetched("/api/kanban/tasks")).status, 200)
      }
      assert.isTrue(writing.every((fiber) => fiber.pollUnsafe() === undefined))
      other.exec("ROLLBACK")
      for (const { status, text } of yield* Fiber.joinAll(writing)) assert.strictEqual(status, 201, text)
    }).pipe(Effect.scoped)
  )

  it.live("replaced by a copy takes no more changes, says so, and the console ends to be started again", () =>
    Effect.gen(function* () {
      const { console, create, file } = yield* running
      assert.strictEqual((yield* create("before")).status, 201)
      copyFileSync(file, `${file}.copy`)
      renameSync(`${file}.copy`, file)
      const refused = yield* create("lost")
      assert.strictEqual(refused.status, 503, refused.text)
      assert.include(refused.text, "was replaced or removed while the console was running")
      const { code, stderr } = yield* Effect.promise(() => console.ended)
      assert.strictEqual(code, exitCodes.board)
      assert.match(stderr, /^agent-console: the board's file was replaced[^\n]*\n$/)
    }).pipe(Effect.scoped)
  )
})

import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeKnowledgeApp } from "../../../support/knowledgeApp.ts"
import { worded } from "../../../support/worded.ts"

describe("an upload over a file", () => {
  it.effect("replaces a file only on request, and the old one can be restored; never a folder", () =>
    Effect.gen(function* () {
      const app = yield* makeKnowledgeApp()
      const workspace = join(app.settings.gatewayHome, "workspace")
      mkdirSync(join(workspace, "folder"), { recursive: true })
      writeFileSync(join(workspace, "notes.md"), "old")
      writeFileSync(join(workspace, "folder/inside.md"), "kept")
      const replace = (name: string) => {
        const body = new FormData()
        body.set("existing", "replace")
        body.set("file", new Blob(["new"]), name)
        return app.request("/api/files/upload", { method: "POST", body })
      }
      assert.strictEqual((yield* replace("notes.md")).status, 200)
      assert.strictEqual(readFileSync(join(workspace, "notes.md"), "utf8"), "new")
      const { body: trash } = yield* app.send("GET", "/api/files/trash")
      assert.strictEqual(trash.entries[0].path, "notes.md")
      assert.strictEqual((yield* replace("folder")).status, 409)
      assert.strictEqual(readFileSync(join(workspace, "folder/inside.md"), "utf8"), "kept")
      assert.strictEqual((yield* replace("fresh.md")).status, 200)
    })
  )
})

describe("a file that's replaced again and again", () => {
  it.effect("is never missing for a reader, and always the old one or the new one", () =>
    Effect.gen(function* () {
      const app = yield* makeKnowledgeApp()
      const file = join(app.settings.gatewayHome, "workspace", "read.md")
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, "0")
      const seen = new Set<string>()
      let isOver = false
      // Reads whenever the server gives way, so between any two of its steps.
      const reading = (async () => {
        while (!isOver) seen.add(await readFile(file, "utf8").catch((error) => `missing: ${error.code}`))
      })()
      for (let round = 1; round <= 30; round += 1) {
        const body = new FormData()
        body.set("existing", "replace")
        body.set("file", new Blob([String(round)]), "read.md")
        assert.strictEqual((yield* app.request("/api/files/upload", { method: "POST", body })).status, 200)
      }
      isOver = true
      yield* Effect.promise(() => reading)
      assert.deepStrictEqual(
        [...seen].filter((text) => !/^\d+$/.test(text)),
        []
      )
      const { body: trash } = yield* app.send("GET", "/api/files/trash")
      assert.lengthOf(trash.entries, 30)
      const oldest = trash.entries.at(-1)
      rmSync(file)
      yield* app.send("POST", "/api/files/restore", { undo: oldest.undo })
      assert.match(readFileSync(file, "utf8"), /^\d+$/)
    })
  )

  it.effect("keeps its permissions", () =>
    Effect.gen(function* () {
      const app = yield* makeKnowledgeApp()
      const file = join(app.settings.gatewayHome, "workspace", "run.sh")
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, "old", { mode: 0o700 })
      const body = new FormData()
      body.set("existing", "replace")
      body.set("file", new Blob(["new"]), "run.sh")
      yield* app.request("/api/files/upload", { method: "POST", body })
      assert.deepStrictEqual([readFileSync(file, "utf8"), statSync(file).mode & 0o777], ["new", 0o700])
    })
  )
})

describe("a missing workspace", () => {
  it.effect("says that its folder doesn't exist and which setting names it, until something is added", () =>
    Effect.gen(function* () {
      const app = yield* makeKnowledgeApp()
      const { status, body } = yield* app.send("GET", "/api/files/tree")
      assert.deepStrictEqual([status, body.error], [404, "not_found"])
      assert.include(body.details, "GATEWAY_HOME")
      yield* app.send("POST", "/api/files/mkdir", { path: "made" })
      assert.lengthOf((yield* app.send("GET", "/api/files/tree")).body, 1)
    })
  )
})

describe("an upload into a folder that doesn't exist", () => {
  it.effect("is 404 and says so", () =>
    Effect.gen(function* () {
      const app = yield* makeKnowledgeApp()
      const body = new FormData()
      body.set("path", "no/where")
      body.set("file", new Blob(["new"]), "a.txt")
      const response = yield* app.request("/api/files/upload", { method: "POST", body })
      assert.deepStrictEqual(
        [response.status, worded(yield* app.json(response))],
        [404, { error: "not_found", details: "its folder doesn't exist: create the folder first" }]
      )
    })
  )
})

import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { textVersion } from "../../../../src/contract/textVersion.ts"
import { makeKnowledgeApp } from "../../../support/knowledgeApp.ts"

const title = "a".repeat(200)

describe("memory routes", () => {
  it.effect("a file with a byte that isn't UTF-8 is shown as far as it can be read, marked, and never changed", () =>
    Effect.gen(function* () {
      const app = yield* makeKnowledgeApp()
      const spoilt = Buffer.from("# Taste\n- likes caf\xe9\n", "latin1")
      const memory = `${app.folder}/gateway/workspace`
      mkdirSync(`${memory}/memory`, { recursive: true })
      writeFileSync(`${memory}/MEMORY.md`, spoilt)
      writeFileSync(`${memory}/memory/2026-01-02.md`, Buffer.from("# Zo\xeb\n", "latin1"))
      writeFileSync(`${memory}/memory/2026-01-01.md`, "# Calm\n")
      assert.deepStrictEqual((yield* app.send("GET", "/api/memories")).body, [
        { type: "section", text: "Taste", damaged: true },
        { type: "item", text: "likes caf\uFFFD", damaged: true },
        { type: "daily", date: "2026-01-02", text: "Zo\uFFFD", damaged: true },
        { type: "daily", date: "2026-01-01", text: "Calm" }
      ])
      const section = yield* app.send("GET", "/api/memories/section?title=Taste")
      assert.deepStrictEqual([section.status, section.body.content], [200, "- likes caf\uFFFD"])
      const refused = yield* app.send("POST", "/api/memories", { text: "likes tea" })
      assert.strictEqual(refused.status, 500)
      assert.match(refused.body.details, /^MEMORY\.md is not UTF-8 text|UTF-8/)
      assert.deepStrictEqual(readFileSync(`${memory}/MEMORY.md`), spoilt)
    })
  )

  it.effect("add, list, read, replace and remove", () =>
    Effect.gen(function* () {
      const app = yield* makeKnowledgeApp()
      const added = yield* app.send("POST", "/api/memories", { text: "likes tea", section: "Taste" })
      assert.strictEqual(added.status, 200)
      assert.strictEqual(added.body.ok, true)
      assert.strictEqual(added.body.result.written, true)
      assert.strictEqual(added.body.result.section, "Taste")
      assert.strictEqual(added.body.result.vectorStore, "failed")
      assert.isString(added.body.result.details)
      assert.deepStrictEqual((yield* app.send("GET", "/api/memories")).body, [
        { type: "section", text: "Taste" },
        { type: "item", text: "likes tea" }
      ])
      assert.deepStrictEqual((yield* app.send("GET", "/api/memories/section?title=Taste")).body, {
        ok: true,
        content: "- likes tea",
        version: textVersion("- likes tea")
      })
      assert.deepStrictEqual(
        (yield* app.send("PUT", "/api/memories/section", { title: "Taste", content: "- likes coffee" })).body,
        { ok: true, title: "Taste", content: "- likes coffee", version: textVersion("- likes coffee") }
      )
      const late = yield* app.send("PUT", "/api/memories/section", {
        title: "Taste",
        content: "- likes water",
        version: textVersion("- likes tea")
      })
      assert.deepStrictEqual([late.status, late.body.error], [409, "conflict"])
      assert.deepStrictEqual((yield* app.send("DELETE", "/api/memories", { query: "likes coffee" })).body, {
        ok: true,
        result: { deleted: 1, source: "long-term", file: "MEMORY.md", type: "item" }
      })
      assert.strictEqual((yield* app.send("DELETE", "/api/memories", { query: "likes coffee" })).status, 404)
    })
  )

  it.effect("an unknown section is 404, a missing title or a date that does not exist 400", () =>
    Effect.gen(function* () {
      const app = yield* makeKnowledgeApp()
      const statuses = yield* Effect.forEach(
        [
          "/api/memories/section?title=Nothing",
          "/api/memories/section",
          "/api/memories/section?title=",
          "/api/memories/section?title=A&date=2026-02-30",
          "/api/memories/section?title=A&date=../../etc/passwd",
          "/api/memories/section?title=A&date=2026-02-28"
        ],
        (path) => Effect.map(app.send("GET", path), (answer) => answer.status)
      )
      assert.deepStrictEqual(statuses, [404, 400, 400, 400, 400, 404])
    })
  )

  it.effect("every field at its limit and one past it", () =>
    Effect.gen(function* () {
      const app = yield* makeKnowledgeApp()
      const cases: ReadonlyArray<readonly [method: string, path: string, body: unknown, status: number]> = [
        ["POST", "/api/memories", { text: "a".repeat(10_000) }, 200],
        ["POST", "/api/memories", { text: "a".repeat(10_001) }, 400],
        ["POST", "/api/memories", { text: "" }, 400],
        ["POST", "/api/memories", { text: " \n " }, 400],
        ["POST", "/api/memories", {}, 400],
        ["POST", "/api/memories", { text: 1 }, 400],
        ["POST", "/api/memories", { text: "x", section: title }, 200],
        ["POST", "/api/memories", { text: "x", section: `${title}a` }, 400],
        ["POST", "/api/memories", { text: "x", category: "entity", importance: 0 }, 200],
        ["POST", "/api/memories", { text: "y", category: "mood" }, 400],
        ["POST", "/api/memories", { text: "y", importance: 1.01 }, 400],
        ["PUT", "/api/memories/section", { title, content: "b".repeat(50_000) }, 200],
        ["PUT", "/api/memories/section", { title, content: "b".repeat(50_001) }, 400],
        ["PUT", "/api/memories/section", { title: `${title}a`, content: "" }, 400],
        ["PUT", "/api/memories/section", { title: "Nowhere", content: "" }, 404],
        ["PUT", "/api/memories/section", { title, content: "x", date: "2026-13-01" }, 400],
        ["DELETE", "/api/memories", { query: "q".repeat(1000) }, 404],
        ["DELETE", "/api/memories", { query: "q".repeat(1001) }, 400],
        ["DELETE", "/api/memories", { query: "" }, 400],
        ["DELETE", "/api/memories", { query: "x", type: "daily" }, 400],
        ["DELETE", "/api/memories", { query: "x", type: "week" }, 400],
        ["DELETE", "/api/memories", "", 400],
        ["POST", "/api/memories", "null", 400],
        ["POST", "/api/memories", "[]", 400],
        ["POST", "/api/memories", "{", 400]
      ]
      for (const [method, path, body, status] of cases) {
        const answer = yield* app.send(method, path, body)
        assert.strictEqual(answer.status, status, `${method} ${path} ${JSON.stringify(body).slice(0, 60)}`)
        if (status === 400) assert.strictEqual(answer.body.error, "validation_error")
      }
      const daily = yield* app.send("DELETE", "/api/memories", { query: "x", type: "daily" })
      assert.strictEqual(daily.body.details, "date: required when type is daily")
    })
  )
})

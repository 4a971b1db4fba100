import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { textVersion } from "../../../../src/contract/textVersion.ts"
import { makeKnowledgeApp } from "../../../support/knowledgeApp.ts"

it.effect("documents: six keys, 404 before the first write, 400 for any other key", () =>
  Effect.gen(function* () {
    const app = yield* makeKnowledgeApp()
    const list = yield* app.send("GET", "/api/workspace")
    assert.strictEqual(list.body.ok, true)
    assert.strictEqual(list.body.files.length, 6)
    assert.deepStrictEqual(list.body.files[0], { key: "soul", filename: "SOUL.md", exists: false })
    assert.strictEqual((yield* app.send("GET", "/api/workspace/soul")).status, 404)
    assert.deepStrictEqual((yield* app.send("PUT", "/api/workspace/soul", { content: "calm\n" })).body, {
      ok: true,
      key: "soul",
      content: "calm\n",
      version: textVersion("calm\n")
    })
    assert.deepStrictEqual((yield* app.send("GET", "/api/workspace/soul")).body, {
      ok: true,
      content: "calm\n",
      version: textVersion("calm\n")
    })
    for (const key of ["nothing", "__proto__", "constructor", "SOUL.md", "..%2fsoul", "soul%00"]) {
      assert.strictEqual((yield* app.send("GET", `/api/workspace/${key}`)).status, 400, key)
    }
  })
)

it.effect("documents: 100 KB of bytes and not one more", () =>
  Effect.gen(function* () {
    const app = yield* makeKnowledgeApp()
    const limit = 100 * 1024
    assert.strictEqual((yield* app.send("PUT", "/api/workspace/user", { content: "\n".repeat(limit) })).status, 200)
    const tooLarge = yield* app.send("PUT", "/api/workspace/user", { content: "é".repeat(limit / 2 + 1) })
    assert.strictEqual(tooLarge.status, 413)
    assert.deepStrictEqual(tooLarge.body, { error: "Request body too large" })
    assert.strictEqual((yield* app.send("PUT", "/api/workspace/user", { content: 1 })).status, 400)
    assert.strictEqual((yield* app.send("PUT", "/api/workspace/user", {})).status, 400)
  })
)

it.effect("documents: a version keeps a save from writing over what somebody else saved", () =>
  Effect.gen(function* () {
    const app = yield* makeKnowledgeApp()
    const put = (body: object) => app.send("PUT", "/api/workspace/tools", body)
    assert.strictEqual((yield* put({ content: "a", version: textVersion("nothing") })).status, 409)
    assert.strictEqual((yield* put({ content: "a", version: null })).status, 200)
    assert.strictEqual((yield* put({ content: "b", version: null })).status, 409)
    const { body } = yield* put({ content: "b", version: textVersion("a") })
    assert.strictEqual(body.version, textVersion("b"))
    const late = yield* put({ content: "c", version: textVersion("a") })
    assert.deepStrictEqual([late.status, late.body.error], [409, "conflict"])
    const read = yield* app.send("GET", "/api/workspace/tools")
    assert.strictEqual(read.body.content, "b")
    assert.strictEqual((yield* put({ content: "b", version: read.body.version })).status, 200)
    assert.strictEqual((yield* put({ content: "c" })).status, 200)
  })
)

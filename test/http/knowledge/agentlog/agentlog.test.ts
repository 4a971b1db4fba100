import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeKnowledgeApp } from "../../../support/knowledgeApp.ts"

it.effect("the agent log answers what it stored, with the server's time", () =>
  Effect.gen(function* () {
    const app = yield* makeKnowledgeApp()
    const entry = { type: "tool", message: "read a file", level: "odd level", data: { name: "read" }, ts: 12 }
    const stored = yield* app.send("POST", "/api/agentlog", entry)
    assert.deepStrictEqual(stored.body, { ok: true, entry: { ...entry, ts: 0 } })
    assert.strictEqual((yield* app.send("POST", "/api/agentlog", {})).status, 200)
    assert.deepStrictEqual((yield* app.send("GET", "/api/agentlog")).body, [{ ...entry, ts: 0 }, { ts: 0 }])
    for (const bad of [{ message: 1 }, { data: [] }, { data: "x" }, [], null, "{"]) {
      assert.strictEqual((yield* app.send("POST", "/api/agentlog", bad)).status, 400, JSON.stringify(bad))
    }
  })
)

it.effect("an entry over 64 KB is refused", () =>
  Effect.gen(function* () {
    const app = yield* makeKnowledgeApp()
    const answer = yield* app.send("POST", "/api/agentlog", { message: "x".repeat(64 * 1024) })
    assert.strictEqual(answer.status, 413)
    assert.strictEqual((yield* app.send("POST", "/api/agentlog", { message: "x".repeat(63 * 1024) })).status, 200)
  })
)

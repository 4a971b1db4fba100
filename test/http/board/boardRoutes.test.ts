import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeBoardClient } from "./boardClient.ts"

it.effect("a task is created with the board's defaults, listed, changed and removed", () =>
  Effect.gen(function* () {
    const { call } = yield* makeBoardClient()
    const made = yield* call("POST", "tasks", { title: "One" })
    assert.strictEqual(made.status, 201)
    const task = {
      id: made.id,
      title: "One",
      status: "todo",
      priority: "normal",
      createdBy: "operator",
      createdAt: 0,
      updatedAt: 0,
      version: 1,
      labels: [],
      columnOrder: 0,
      feedback: []
    }
    assert.deepStrictEqual(made.json, task)
    const page = yield* call("GET", "tasks")
    assert.deepStrictEqual(page.json, { items: [task], total: 1, limit: 50, offset: 0, hasMore: false })
    const patched = yield* call("PATCH", `tasks/${made.id}`, { version: 1, title: "Two" })
    assert.deepStrictEqual(patched.json, { ...task, title: "Two", version: 2 })
    const stale = yield* call("PATCH", `tasks/${made.id}`, { version: 1, title: "Three" })
    assert.strictEqual(stale.status, 409)
    assert.deepStrictEqual(stale.json, { error: "version_conflict", serverVersion: 2, latest: patched.json })
    assert.deepStrictEqual((yield* call("DELETE", `tasks/${made.id}`)).json, { ok: true })
    const gone = yield* call("DELETE", `tasks/${made.id}`)
    assert.strictEqual(gone.status, 404)
    assert.deepStrictEqual(gone.json, { error: "not_found" })
  })
)

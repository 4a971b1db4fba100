import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { BoardConfig } from "../../../src/contract/schema/boardConfig.ts"
import { Task, TaskPage } from "../../../src/contract/schema/task.ts"
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
      feedback: [],
      after: [],
      autoStart: false
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

it.effect("tasks are listed by their ids, without those that are gone", () =>
  Effect.gen(function* () {
    const { call } = yield* makeBoardClient()
    const ids: Array<string> = []
    for (const title of ["One", "Two", "Three"]) ids.push((yield* call("POST", "tasks", { title })).id)
    const [one = "", , three = ""] = ids
    const { json } = yield* call("GET", `tasks?ids=${three},nobody,${one}`)
    const { items, total } = yield* Schema.decodeUnknownEffect(TaskPage)(json)
    assert.deepStrictEqual([items.map(({ title }) => title), total], [["One", "Three"], 2])
    assert.strictEqual((yield* call("GET", `tasks?ids=${"x".repeat(20_001)}`)).status, 400)
  })
)

it.effect("what routes answer without encoding it has the declared shape, and nothing more", () =>
  Effect.gen(function* () {
    const { call } = yield* makeBoardClient()
    const decoded = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, json: unknown) =>
      Schema.decodeUnknownEffect(schema, { onExcessProperty: "error" })(json)
    const whole = { title: "One", description: "all of it", labels: ["a"], assignee: "agent:main", estimateMin: 5 }
    const made = yield* call("POST", "tasks", { ...whole, status: "review", dueAt: 1, model: "m", thinking: "low" })
    yield* decoded(Task, made.json)
    const rejected = yield* call("POST", `tasks/${made.id}/reject`, { note: "again" })
    const { version } = yield* decoded(Task, rejected.json)
    const patched = yield* decoded(Task, (yield* call("PATCH", `tasks/${made.id}`, { version, title: "Two" })).json)
    assert.strictEqual(patched.feedback.length, 1)
    const place = { version: patched.version, targetStatus: "todo", targetIndex: 0 }
    yield* decoded(Task, (yield* call("POST", `tasks/${made.id}/reorder`, place)).json)
    yield* decoded(TaskPage, (yield* call("GET", "tasks")).json)
    yield* decoded(BoardConfig, (yield* call("GET", "config")).json)
  })
)

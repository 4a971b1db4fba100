import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Task } from "../../../src/contract/schema/task.ts"
import { makeBoardClient } from "./boardClient.ts"

const decodeTask = Schema.decodeUnknownSync(Task)

const bug = {
  name: "Bug",
  task: { title: "Fix", description: "Steps", priority: "high", labels: ["bug"], assignee: "agent:coder" }
}

describe("the routes of templates", () => {
  it.effect("add, list, change and delete one, whose task may lack a title", () =>
    Effect.gen(function* () {
      const { call } = yield* makeBoardClient()
      const made = yield* call("POST", "templates", bug)
      assert.strictEqual(made.status, 201)
      assert.deepStrictEqual(made.json, { ...bug, id: made.id, version: 1 })
      const changed = yield* call("PATCH", `templates/${made.id}`, { version: 1, task: { labels: ["x"] } })
      assert.strictEqual(changed.status, 200)
      assert.deepStrictEqual(changed.json, { name: "Bug", task: { labels: ["x"] }, id: made.id, version: 2 })
      assert.deepStrictEqual((yield* call("GET", "templates")).json, { templates: [changed.json] })
      assert.deepStrictEqual((yield* call("DELETE", `templates/${made.id}`)).json, { ok: true })
      assert.deepStrictEqual((yield* call("GET", "templates")).json, { templates: [] })
    })
  )

  it.effect("refuse other bodies, unknown ids, other versions and the 201st", () =>
    Effect.gen(function* () {
      const { call } = yield* makeBoardClient()
      for (const [field, body] of [
        ["name", { ...bug, name: "" }],
        ["task", { name: "Bug" }],
        ["task.labels", { name: "Bug", task: { labels: "bug" } }]
      ] as const) {
        const refused = yield* call("POST", "templates", body)
        assert.strictEqual(refused.status, 400)
        assert.isTrue(refused.details?.startsWith(`${field}: `), refused.details)
      }
      for (const answer of [
        yield* call("PATCH", "templates/none", { version: 1 }),
        yield* call("DELETE", "templates/none")
      ]) {
        assert.strictEqual(answer.status, 404)
        assert.deepStrictEqual(answer.json, { error: "not_found" })
      }
      const made = yield* call("POST", "templates", bug)
      const conflict = yield* call("PATCH", `templates/${made.id}`, { version: 7, name: "x" })
      assert.strictEqual(conflict.status, 409)
      assert.deepStrictEqual(conflict.json, { error: "version_conflict", serverVersion: 1, latest: made.json })
      for (let count = 1; count < 200; count += 1) yield* call("POST", "templates", bug)
      const refused = yield* call("POST", "templates", bug)
      assert.strictEqual(refused.status, 409)
      assert.include(refused.json, { error: "too_many" })
    })
  )
})

describe("a task from a template", () => {
  it.effect("has the template's fields, with those of the body over them", () =>
    Effect.gen(function* () {
      const { call } = yield* makeBoardClient()
      const { id: templateId } = yield* call("POST", "templates", bug)
      const plain = yield* call("POST", "tasks", { templateId })
      assert.strictEqual(plain.status, 201)
      const task = decodeTask(plain.json)
      assert.deepInclude(task, { ...bug.task, priority: "high", status: "todo", createdBy: "operator" })
      assert.isFalse(Object.hasOwn(task, "templateId"))
      const over = yield* call("POST", "tasks", {
        templateId,
        title: "Fix login",
        description: null,
        labels: null,
        priority: "low"
      })
      const other = decodeTask(over.json)
      assert.deepInclude(other, { title: "Fix login", labels: [], priority: "low", assignee: "agent:coder" })
      assert.isFalse(Object.hasOwn(other, "description"))
    })
  )

  it.effect("needs a known template, a title and fields that fit", () =>
    Effect.gen(function* () {
      const { call } = yield* makeBoardClient()
      const { id: templateId } = yield* call("POST", "templates", bug)
      const unknown = yield* call("POST", "tasks", { templateId: "none", title: "T" })
      assert.strictEqual(unknown.status, 404)
      assert.deepStrictEqual(unknown.json, { error: "not_found" })
      const untitled = yield* call("POST", "tasks", { templateId, title: null })
      assert.strictEqual(untitled.status, 400)
      assert.include(untitled.json, { error: "validation_error", details: "title: is required" })
      for (const [body, details] of [
        [{ templateId, description: 5 }, "description: must be text"],
        [{ templateId, priority: "x" }, "priority: must be one of: critical, high, normal, low"],
        [{ templateId: 5, title: "T" }, "templateId: must be text"],
        // Without a template, null is no value, as ever.
        [{ title: "T", description: null }, "description: must be text"],
        [{}, "title: is required"],
        [[], "the body must be an object"]
      ] as const) {
        const refused = yield* call("POST", "tasks", body)
        assert.strictEqual(refused.status, 400, JSON.stringify(body))
        assert.strictEqual(refused.details, details)
      }
    })
  )
})

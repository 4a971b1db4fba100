import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeBoardClient } from "./boardClient.ts"

const long = (length: number) => "x".repeat(length)
const labels = (count: number, length = 3) => Array.from({ length: count }, () => long(length))

const item = { id: "a", text: "x", done: true }
const items = (count: number) => Array.from({ length: count }, (_, index) => ({ ...item, id: `${index}` }))

/** Values that must be taken, and values that must be refused, for each field of a task. */
const CREATE: ReadonlyArray<readonly [field: string, good: ReadonlyArray<unknown>, bad: ReadonlyArray<unknown>]> = [
  ["title", ["x", long(500), "🎉".repeat(500)], ["", "   ", long(501), "🎉".repeat(501), 1, null, {}, []]],
  ["description", ["", long(10_000)], [long(10_001), 1, null]],
  ["status", ["backlog", "todo", "in-progress", "review", "done", "cancelled"], ["", "Todo", "doing", 1, null]],
  ["priority", ["critical", "high", "normal", "low"], ["", "urgent", 3, null]],
  ["createdBy", ["operator", "agent:main", "agent:Ein Name"], ["", "me", "agent:", "agent: ", 1]],
  ["sourceSessionKey", ["agent:main:main", long(500)], [long(501), 1]],
  ["assignee", ["operator", "agent:x"], ["", "nobody", "agent:", `agent:${long(200)}`, 1]],
  ["labels", [[], labels(50), labels(1, 100), ["a", "a"]], [labels(51), labels(1, 101), "a", [1], [null], {}]],
  ["model", ["a/b", long(200)], ["", long(201), 1]],
  ["thinking", ["off", "low", "medium", "high"], ["", "max", 1]],
  ["dueAt", [0, 1_900_000_000_000], [-1, 1.5, "1", 1e300]],
  ["estimateMin", [0, 0.5, 90], [-1, "90", true]],
  [
    "checklist",
    [[item, { ...item, id: "b" }], items(100)],
    [items(101), [item, item], [{ text: "" }], [{ id: "a" }], "a", null, {}, [1]]
  ]
]

const PATCH: typeof CREATE = [
  ["title", [long(500)], ["", long(501), null]],
  ["description", [null, long(10_000)], [long(10_001), 1]],
  ["status", ["done"], [null, "x"]],
  ["priority", ["low"], [null, "x"]],
  ["assignee", [null, "operator"], ["x", 1]],
  ["labels", [[], labels(50)], [null, labels(51)]],
  ["model", [null, long(200)], [long(201), 1]],
  ["thinking", [null, "low"], ["x", 1]],
  ["dueAt", [null, 5], ["5", -5]],
  ["estimateMin", [null, 0], [-1, "1"]],
  ["actualMin", [null, 0, 2.5], [-1, "1"]],
  ["result", [null, long(50_000)], [long(50_001), 1]],
  ["checklist", [[item], null, items(100)], [items(101), [item, item], [{ ...item, done: "yes" }], 1]],
  ["version", [], [null, "1", 0, -1, 1.5]]
]

/** Fields the board owns: naming one is refused, so nobody believes it was changed. */
const OWNED = [
  "id",
  "run",
  "feedback",
  "createdBy",
  "createdAt",
  "updatedAt",
  "resultAt",
  "columnOrder",
  "commentCount"
]

describe("fields at their limits and one past them", () => {
  it.effect("of a new task", () =>
    Effect.gen(function* () {
      const { call } = yield* makeBoardClient()
      for (const [field, good, bad] of CREATE) {
        for (const value of good) {
          const made = yield* call("POST", "tasks", { title: "T", [field]: value })
          assert.strictEqual(made.status, 201, `${field} ${JSON.stringify(value).slice(0, 60)}`)
          assert.deepPropertyVal(made.json, field, value)
        }
        for (const value of bad) {
          const refused = yield* call("POST", "tasks", { title: "T", [field]: value })
          assert.strictEqual(refused.status, 400, `${field} ${JSON.stringify(value).slice(0, 60)}`)
          assert.propertyVal(refused.json, "error", "validation_error")
          assert.match(refused.details ?? "", new RegExp(`^${field}[.\\w]*: `))
        }
      }
    })
  )

  it.effect("of a patch; null clears what may be absent", () =>
    Effect.gen(function* () {
      const { call } = yield* makeBoardClient()
      const { id } = yield* call("POST", "tasks", { title: "T" })
      let version = 1
      for (const [field, good, bad] of PATCH) {
        for (const value of good) {
          const patched = yield* call("PATCH", `tasks/${id}`, { version, [field]: value })
          assert.strictEqual(patched.status, 200, `${field} ${JSON.stringify(value).slice(0, 60)}`)
          if (value === null) assert.notProperty(patched.json, field)
          else assert.deepPropertyVal(patched.json, field, value)
          version = patched.version
        }
        for (const value of bad) {
          const refused = yield* call("PATCH", `tasks/${id}`, { version, [field]: value })
          assert.strictEqual(refused.status, 400, `${field} ${JSON.stringify(value).slice(0, 60)}`)
        }
      }
      for (const field of OWNED) {
        const refused = yield* call("PATCH", `tasks/${id}`, { version, [field]: "x" })
        assert.strictEqual(refused.status, 400)
        assert.strictEqual(refused.details, `${field}: can't be changed this way`)
      }
      assert.strictEqual((yield* call("PATCH", `tasks/${id}`, { version })).version, version + 1)
    })
  )

  it.effect("of a move, the steps, a proposal and the configuration", () =>
    Effect.gen(function* () {
      const { call } = yield* makeBoardClient()
      const { id } = yield* call("POST", "tasks", { title: "T" })
      const status = Effect.fnUntraced(function* (method: string, path: string, body: unknown) {
        return (yield* call(method, path, body)).status
      })
      const move = { version: 1, targetStatus: "todo", targetIndex: 0 }
      for (const bad of [
        { version: 1 },
        { ...move, targetIndex: -1 },
        { ...move, targetIndex: 0.5 },
        { ...move, targetStatus: "x" }
      ]) {
        assert.strictEqual(yield* status("POST", `tasks/${id}/reorder`, bad), 400)
      }
      assert.strictEqual(yield* status("POST", `tasks/${id}/reorder`, { ...move, targetIndex: 1e9 }), 200)
      for (const [step, field, max] of [
        ["execute", "model", 200],
        ["complete", "result", 50_000],
        ["complete", "error", 5000],
        ["approve", "note", 5000],
        ["reject", "note", 5000],
        ["abort", "note", 5000]
      ] as const) {
        assert.strictEqual(yield* status("POST", `tasks/${id}/${step}`, { [field]: long(max + 1) }), 400)
        assert.strictEqual(yield* status("POST", `tasks/${id}/${step}`, { [field]: 5 }), 400)
      }
      for (const bad of [undefined, {}, { note: "" }, { note: "  " }, { note: null }]) {
        assert.strictEqual(yield* status("POST", `tasks/${id}/reject`, bad), 400)
      }
      const payload = { title: "P" }
      for (const bad of [
        { payload },
        { type: "delete", payload },
        { type: "create" },
        { type: "create", payload: [] },
        { type: "create", payload: {} },
        { type: "create", payload: { title: long(501) } },
        { type: "update", payload: { title: "x" } },
        { type: "update", payload: { id, result: long(50_001) } },
        { type: "create", payload, sourceSessionKey: long(501) }
      ]) {
        assert.strictEqual(yield* status("POST", "proposals", bad), 400, JSON.stringify(bad).slice(0, 80))
      }
      assert.strictEqual(yield* status("GET", "proposals?status=open", undefined), 400)
      const column = { key: "todo", title: "To do", visible: true }
      const columns = (count: number) => Array.from({ length: count }, () => column)
      for (const bad of [
        { columns: [] },
        { columns: columns(11) },
        { columns: [{ ...column, title: "" }] },
        { columns: [{ ...column, title: long(101) }] },
        { columns: [{ ...column, key: "x" }] },
        { columns: [{ ...column, wipLimit: -1 }] },
        { columns: [{ key: "todo", title: "x" }] },
        { quickViewLimit: 0 },
        { quickViewLimit: 51 },
        { proposalPolicy: "always" },
        { defaultModel: long(101) },
        { defaults: { status: "x" } },
        { reviewRequired: "yes" }
      ]) {
        assert.strictEqual(yield* status("PUT", "config", bad), 400, JSON.stringify(bad).slice(0, 80))
      }
      for (const good of [
        { columns: columns(10) },
        { columns: [{ ...column, title: long(100), wipLimit: 0 }] },
        { quickViewLimit: 1 },
        { quickViewLimit: 50 },
        { defaultModel: long(100) },
        { defaultModel: null },
        {}
      ]) {
        assert.strictEqual(yield* status("PUT", "config", good), 200, JSON.stringify(good).slice(0, 80))
      }
    })
  )
})

describe("comments and views", () => {
  it.effect("are taken at their limits, refused past them, and 404 where there is none", () =>
    Effect.gen(function* () {
      const { call } = yield* makeBoardClient()
      const { id } = yield* call("POST", "tasks", { title: "T" })
      const made = yield* call("POST", `tasks/${id}/comments`, { text: long(5000) })
      assert.strictEqual(made.status, 201)
      assert.deepStrictEqual((yield* call("GET", `tasks/${id}/comments`)).json, { comments: [made.json] })
      for (const text of ["", "  ", long(5001), 1, null, undefined]) {
        const refused = yield* call("POST", `tasks/${id}/comments`, { text })
        assert.strictEqual(refused.status, 400, String(text).slice(0, 20))
        assert.match(refused.details ?? "", /^text: /)
      }
      for (const [method, path] of [
        ["GET", "tasks/nope/comments"],
        ["POST", "tasks/nope/comments"],
        ["DELETE", "tasks/nope/comments/x"],
        ["DELETE", `tasks/${id}/comments/nope`],
        ["DELETE", "views/nope"]
      ] as const) {
        const missing = yield* call(method, path, method === "POST" ? { text: "x" } : undefined)
        assert.deepStrictEqual([missing.status, missing.json], [404, { error: "not_found" }], `${method} ${path}`)
      }
      assert.strictEqual((yield* call("DELETE", `tasks/${id}/comments/${made.id}`)).status, 200)

      const view = { name: long(100), layout: "list" }
      const filter = { q: "x", priorities: ["low"], labels: labels(50), assignee: "none", overdue: true }
      for (const good of [view, { ...view, layout: "board", filter, sort: { by: "cost", descending: true } }]) {
        const saved = yield* call("PUT", "views/mine", good)
        assert.deepStrictEqual([saved.status, saved.json], [200, { id: "mine", ...good }])
        assert.deepStrictEqual((yield* call("GET", "views")).json, { views: [{ id: "mine", ...good }] })
      }
      for (const bad of [
        { name: "x" },
        { layout: "list" },
        { ...view, name: long(101) },
        { ...view, layout: "grid" },
        { ...view, filter: { priorities: ["x"] } },
        { ...view, filter: { labels: labels(51) } },
        { ...view, sort: { by: "rank" } },
        { ...view, sort: {} }
      ])
        assert.strictEqual((yield* call("PUT", "views/mine", bad)).status, 400, JSON.stringify(bad).slice(0, 80))
      assert.strictEqual((yield* call("PUT", `views/${long(101)}`, view)).status, 400)
      for (let count = 1; count < 50; count += 1) yield* call("PUT", `views/${count}`, view)
      const tooMany = yield* call("PUT", "views/more", view)
      assert.strictEqual(tooMany.status, 409)
      assert.deepPropertyVal(tooMany.json, "error", "too_many_views")
      assert.strictEqual((yield* call("DELETE", "views/mine")).status, 200)
    })
  )
})

describe("requests that make no sense", () => {
  it.effect("get 400 or 404 of the one shape, never 500", () =>
    Effect.gen(function* () {
      const { call } = yield* makeBoardClient()
      for (const body of ["", "{", "null", "[]", '"x"', "1", "\u0000"]) {
        const refused = yield* call("POST", "tasks", body)
        assert.strictEqual(refused.status, 400, body)
        assert.propertyVal(refused.json, "error", "validation_error")
      }
      for (const id of ["nope", "__proto__", "constructor", "%00", "..%2f..", "a".repeat(10_000), "%5c"]) {
        const missing = yield* call("PATCH", `tasks/${id}`, { version: 1 })
        assert.strictEqual(missing.status, 404, id.slice(0, 20))
        assert.deepStrictEqual(missing.json, { error: "not_found" })
        for (const step of ["execute", "complete", "approve", "abort"]) {
          assert.strictEqual((yield* call("POST", `tasks/${id}/${step}`)).status, 404)
        }
        assert.strictEqual((yield* call("POST", `proposals/${id}/approve`)).status, 404)
        assert.strictEqual((yield* call("POST", `proposals/${id}/reject`)).status, 404)
      }
      for (const query of ["limit=0", "limit=201", "limit=x", "limit=1.5", "offset=-1", "status=x", "priority=x"]) {
        assert.strictEqual((yield* call("GET", `tasks?${query}`)).status, 400, query)
      }
      for (const query of ["limit=1", "limit=200", "offset=0", "status=", "status=todo,done&status=review", "q="]) {
        assert.strictEqual((yield* call("GET", `tasks?${query}`)).status, 200, query)
      }
    })
  )

  it.effect("keep control characters and markup in text as they are", () =>
    Effect.gen(function* () {
      const { call } = yield* makeBoardClient()
      const title = "a\u0000b\u202e<script>alert(1)</script>'; DROP TABLE tasks; --\r\n\t🎉"
      const made = yield* call("POST", "tasks", { title, labels: [title.slice(0, 50)] })
      assert.propertyVal(made.json, "title", title)
      const page = yield* call("GET", `tasks?q=${encodeURIComponent("DROP table")}`)
      assert.deepStrictEqual(page.json, { items: [made.json], total: 1, limit: 50, offset: 0, hasMore: false })
    })
  )
})

describe("a disk that is full", () => {
  it.effect("is a 500 with a sentence, and the old state stays", () =>
    Effect.gen(function* () {
      const { call, limitPages } = yield* makeBoardClient()
      const task = yield* call("POST", "tasks", { title: "T" })
      yield* limitPages(1)
      const refused = yield* call("PATCH", `tasks/${task.id}`, { version: 1, description: long(10_000) })
      assert.strictEqual(refused.status, 500)
      assert.propertyVal(refused.json, "error", "store_failure")
      assert.include(refused.details ?? "", "the disk is full")
      yield* limitPages(100_000)
      assert.deepStrictEqual((yield* call("PATCH", `tasks/${task.id}`, { version: 1 })).version, 2)
    })
  )
})

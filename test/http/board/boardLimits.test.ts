import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeFakeGateway } from "../../services/board/fakeGateway.ts"
import { makeBoardClient } from "./boardClient.ts"

const long = (length: number) => "x".repeat(length)
const labels = (count: number, length = 3) => Array.from({ length: count }, () => long(length))

/** For each field of a proposal's payload: at the limit, and one past it. */
const SHARED: ReadonlyArray<readonly [field: string, good: unknown, bad: unknown]> = [
  ["title", long(500), long(501)],
  ["description", long(10_000), long(10_001)],
  ["status", "cancelled", "x"],
  ["priority", "critical", "x"],
  ["assignee", "agent:x", "x"],
  ["labels", labels(50, 100), labels(51)],
  ["labels", [], labels(1, 101)]
]
const CREATE: typeof SHARED = [
  ...SHARED,
  ["model", long(200), long(201)],
  ["thinking", "high", "max"],
  ["dueAt", 0, -1],
  ["estimateMin", 0, -1]
]
const UPDATE: typeof SHARED = [...SHARED, ["result", long(50_000), long(50_001)]]

/** The bodies of the steps: a field, its limit, and whether it may be empty. */
const STEPS = [
  ["execute", "model", 200],
  ["execute", "thinking", 50],
  ["complete", "result", 50_000],
  ["complete", "error", 5000],
  ["approve", "note", 5000],
  ["reject", "note", 5000],
  ["abort", "note", 5000]
] as const

const makeClient = Effect.gen(function* () {
  const gateway = yield* makeFakeGateway
  return yield* makeBoardClient({ gateway: gateway.layer })
})

describe("limits over HTTP", () => {
  it.effect("of each step's body hold at the limit and one past it", () =>
    Effect.gen(function* () {
      const { call } = yield* makeClient
      for (const [step, field, max] of STEPS) {
        const { id } = yield* call("POST", "tasks", {
          title: "T",
          status: step === "approve" || step === "reject" ? "review" : "todo"
        })
        if (step === "complete" || step === "abort") yield* call("POST", `tasks/${id}/execute`)
        const refused = yield* call("POST", `tasks/${id}/${step}`, { [field]: long(max + 1) })
        assert.strictEqual(refused.status, 400, `${step} ${field}`)
        assert.isTrue(refused.details?.startsWith(`${field}: `), refused.details)
        const taken = yield* call("POST", `tasks/${id}/${step}`, { [field]: long(max) })
        assert.strictEqual(taken.status, 200, `${step} ${field} ${JSON.stringify(taken.json).slice(0, 100)}`)
      }
    })
  )

  it.effect("of each field of a proposal hold at the limit and one past it", () =>
    Effect.gen(function* () {
      const { call } = yield* makeClient
      const { id } = yield* call("POST", "tasks", { title: "T" })
      const check = Effect.fnUntraced(function* (name: string, good: object, bad: object) {
        const taken = yield* call("POST", "proposals", good)
        assert.strictEqual(taken.status, 201, `${name} ${JSON.stringify(taken.json).slice(0, 100)}`)
        const refused = yield* call("POST", "proposals", bad)
        assert.strictEqual(refused.status, 400, name)
        assert.propertyVal(refused.json, "error", "validation_error")
        return taken.id
      })
      for (const [field, good, bad] of CREATE) {
        const of = (value: unknown) => ({ type: "create", payload: { title: "T", [field]: value } })
        yield* check(`create ${field}`, of(good), of(bad))
      }
      for (const [field, good, bad] of UPDATE) {
        const of = (value: unknown) => ({ type: "update", payload: { id, [field]: value } })
        yield* check(`update ${field}`, of(good), of(bad))
      }
      const of = (more: object) => ({ type: "create", payload: { title: "T" }, ...more })
      yield* check("sourceSessionKey", of({ sourceSessionKey: long(500) }), of({ sourceSessionKey: long(501) }))
      const made = yield* check("proposedBy", of({ proposedBy: "agent:x" }), of({ proposedBy: 1 }))
      assert.strictEqual((yield* call("POST", `proposals/${made}/reject`, { reason: long(5001) })).status, 400)
      const rejected = yield* call("POST", `proposals/${made}/reject`, { reason: long(5000) })
      assert.deepStrictEqual(rejected.json, { proposal: { id: made, status: "rejected", reason: long(5000) } })
    })
  )

  it.effect("refuse a megabyte of markers where a result belongs, and read it in an answer in no time", () =>
    Effect.gen(function* () {
      const { call } = yield* makeClient
      const { id } = yield* call("POST", "tasks", { title: "T" })
      yield* call("POST", `tasks/${id}/execute`)
      const hostile = "[kanban:create]".repeat(70_000)
      assert.strictEqual((yield* call("POST", `tasks/${id}/complete`, { result: hostile })).status, 400)
      assert.strictEqual((yield* call("POST", "tasks", { title: hostile })).status, 400)
      const most = "[kanban:create]".repeat(3333)
      const completed = yield* call("POST", `tasks/${id}/complete`, { result: most })
      assert.strictEqual(completed.status, 200)
      assert.deepStrictEqual((yield* call("GET", "proposals")).json, { proposals: [] })
    })
  )
})

describe("several at once over HTTP", () => {
  it.effect("of 50 parallel patches with one version one wins, the others get 409 with the latest task", () =>
    Effect.gen(function* () {
      const { call } = yield* makeClient
      const { id } = yield* call("POST", "tasks", { title: "T" })
      const answers = yield* Effect.forEach(
        Array.from({ length: 50 }, (_, index) => index),
        (index) => call("PATCH", `tasks/${id}`, { version: 1, title: `by ${index}` }),
        { concurrency: "unbounded" }
      )
      const [winner, ...others] = answers.filter((answer) => answer.status === 200)
      assert.lengthOf(others, 0)
      assert.strictEqual(winner?.version, 2)
      const lost = answers.filter((answer) => answer.status === 409)
      assert.lengthOf(lost, 49)
      for (const { json } of lost) {
        assert.deepStrictEqual(json, { error: "version_conflict", serverVersion: 2, latest: winner?.json })
      }
      const moved = yield* call("POST", `tasks/${id}/reorder`, { version: 1, targetStatus: "done", targetIndex: 0 })
      assert.strictEqual(moved.status, 409)
      assert.deepStrictEqual(moved.json, { error: "version_conflict", serverVersion: 2, latest: winner?.json })
    })
  )

  it.effect("a proposal whose task is gone cannot be approved, only rejected", () =>
    Effect.gen(function* () {
      const { call } = yield* makeClient
      const { id } = yield* call("POST", "tasks", { title: "T" })
      const proposal = yield* call("POST", "proposals", { type: "update", payload: { id, title: "U" } })
      yield* call("DELETE", `tasks/${id}`)
      const refused = yield* call("POST", `proposals/${proposal.id}/approve`)
      assert.strictEqual(refused.status, 404)
      assert.propertyVal(refused.json, "error", "not_found")
      assert.include(refused.details ?? "", "reject the proposal")
      assert.strictEqual((yield* call("POST", `proposals/${proposal.id}/reject`)).status, 200)
      const again = yield* call("POST", "proposals", { type: "update", payload: { id, title: "U" } })
      assert.strictEqual(again.status, 404)
    })
  )
})

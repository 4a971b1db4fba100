import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Budget, BudgetList } from "../../../src/contract/schema/budget.ts"
import { makeApp } from "../../support/makeApp.ts"

const decodeBudget = Schema.decodeUnknownSync(Budget)
const decodeList = Schema.decodeUnknownSync(BudgetList)

const makeBudgets = Effect.gen(function* () {
  const app = yield* makeApp()
  let count = 0
  const send = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
    count += 1
    const answer = yield* app.request(path, {
      method,
      // Each client may send 60 requests a minute.
      peer: `10.0.0.${count}`,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: answer.status, body: yield* app.json(answer) }
  })
  const create = (body: object) =>
    Effect.map(send("POST", "/api/budgets", body), (answer) => {
      assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
      return decodeBudget(answer.body)
    })
  return { app, send, create }
})

const ALL = { scope: { kind: "all" }, period: "day", limit: { usd: 5 } }

it.effect("a budget is made with its defaults, listed newest first, changed and removed", () =>
  Effect.gen(function* () {
    const { create, send } = yield* makeBudgets
    assert.deepStrictEqual((yield* send("GET", "/api/budgets")).body, { budgets: [], stop: { active: false } })
    const first = yield* create({ ...ALL, zone: "Europe/Berlin" })
    assert.deepStrictEqual(
      { ...first, id: "", createdAt: 0, resetsAt: 0 },
      {
        id: "",
        scope: { kind: "all" },
        period: "day",
        limit: { usd: 5 },
        warnAt: 0.8,
        action: "ask",
        zone: "Europe/Berlin",
        createdAt: 0,
        version: 1,
        spent: { usd: 0, minutes: 0, turns: 0, unpriced: 0 },
        extra: {},
        state: "ok",
        resetsAt: 0
      }
    )
    const second = yield* create({
      name: "Night",
      scope: { kind: "session", sessionKey: "main" },
      period: "run",
      limit: { minutes: 30, turns: 4 },
      action: "stop"
    })
    assert.deepStrictEqual(second.scope, {
      kind: "session",
      gatewayId: "primary",
      sessionKey: "agent:main:main"
    })
    assert.notProperty(second, "resetsAt")
    const { budgets } = decodeList((yield* send("GET", "/api/budgets")).body)
    assert.deepStrictEqual(
      budgets.map(({ id }) => id),
      [second.id, first.id]
    )
    const changed = yield* send("PATCH", `/api/budgets/${first.id}`, { version: 1, limit: { usd: 7 }, name: "Day" })
    assert.strictEqual(changed.status, 200)
    assert.containSubset(changed.body, { name: "Day", limit: { usd: 7 }, version: 2 })
    const late = yield* send("PATCH", `/api/budgets/${first.id}`, { version: 1, limit: { usd: 9 } })
    assert.strictEqual(late.status, 409)
    assert.containSubset(late.body, { error: "version_conflict", serverVersion: 2, latest: { limit: { usd: 7 } } })
    assert.deepStrictEqual((yield* send("DELETE", `/api/budgets/${first.id}`)).body, { ok: true })
    assert.strictEqual((yield* send("DELETE", `/api/budgets/${first.id}`)).status, 404)
    assert.strictEqual((yield* send("PATCH", `/api/budgets/${first.id}`, { version: 2 })).status, 404)
  })
)

it.effect("what isn't a budget is refused with a sentence", () =>
  Effect.gen(function* () {
    const { send } = yield* makeBudgets
    const bad: ReadonlyArray<object> = [
      {},
      { ...ALL, scope: { kind: "planet" } },
      { ...ALL, scope: { kind: "task" } },
      { ...ALL, period: "year" },
      { ...ALL, period: "run" },
      { ...ALL, limit: {} },
      { ...ALL, limit: { usd: 0 } },
      { ...ALL, limit: { usd: -1 } },
      { ...ALL, limit: { usd: 1_000_001 } },
      { ...ALL, limit: { usd: "5" } },
      { ...ALL, limit: { minutes: 525_601 } },
      { ...ALL, limit: { turns: 0.5 } },
      { ...ALL, limit: { turns: 100_001 } },
      { ...ALL, warnAt: 0.4 },
      { ...ALL, warnAt: 1 },
      { ...ALL, action: "shout" },
      { ...ALL, zone: "Mars/Olympus" },
      { ...ALL, name: "n".repeat(201) }
    ]
    for (const body of bad) {
      const answer = yield* send("POST", "/api/budgets", body)
      assert.strictEqual(answer.status, 400, JSON.stringify(body))
      assert.containSubset(answer.body, { error: "validation_error" })
    }
    const gone = yield* send("POST", "/api/budgets", { ...ALL, scope: { kind: "task", taskId: "none" } })
    assert.strictEqual(gone.status, 404)
    const unknown = { error: "not_found", details: "there's no such card: it was deleted" }
    assert.containSubset(gone.body, unknown)
    const attempts = yield* send("GET", "/api/kanban/tasks/none/attempts")
    assert.strictEqual(attempts.status, 404)
    assert.containSubset(attempts.body, unknown)
    const elsewhere = yield* send("POST", "/api/budgets", { ...ALL, scope: { kind: "gateway", gatewayId: "away" } })
    assert.strictEqual(elsewhere.status, 404)
    assert.containSubset(elsewhere.body, { error: "unknown_gateway" })
  })
)

it.effect("the same scope and period is one budget, however the gateway is named, and there are 200 at most", () =>
  Effect.gen(function* () {
    const { create, send } = yield* makeBudgets
    const own = { ...ALL, scope: { kind: "agent", agentId: "coder" } }
    const first = yield* create(own)
    const again = yield* send("POST", "/api/budgets", {
      ...own,
      scope: { kind: "agent", agentId: "coder", gatewayId: "primary" }
    })
    assert.strictEqual(again.status, 409)
    assert.containSubset(again.body, { error: "budget_exists", budget: { id: first.id } })
    yield* create({ ...own, period: "week" })
    for (let count = 2; count < 200; count += 1)
      yield* create({ ...ALL, scope: { kind: "job", jobId: `job-${count}` } })
    const next = yield* send("POST", "/api/budgets", ALL)
    assert.strictEqual(next.status, 409)
    assert.containSubset(next.body, { error: "too_many" })
  })
)

it.effect("nothing can be decided about a budget that isn't paused", () =>
  Effect.gen(function* () {
    const { create, send } = yield* makeBudgets
    const { id } = yield* create(ALL)
    const answer = yield* send("POST", `/api/budgets/${id}/resolve`, { action: "again" })
    assert.strictEqual(answer.status, 409)
    assert.containSubset(answer.body, { error: "not_paused" })
    assert.strictEqual((yield* send("POST", "/api/budgets/none/resolve", { action: "again" })).status, 404)
  })
)

it.effect("everything is stopped once, and goes on once", () =>
  Effect.gen(function* () {
    const { app, send } = yield* makeBudgets
    const first = yield* send("POST", "/api/stop", { reason: "too many bills" })
    assert.strictEqual(first.status, 200)
    assert.containSubset(first.body, { active: true, by: "operator", stopped: 0 })
    const second = yield* send("POST", "/api/stop", { reason: "another" })
    assert.deepStrictEqual(second.body, first.body)
    assert.containSubset((yield* send("GET", "/api/budgets")).body, {
      stop: { active: true, by: "operator", reason: "too many bills" }
    })
    assert.strictEqual((yield* send("POST", "/api/stop", { reason: "r".repeat(501) })).status, 400)
    const metrics = yield* Effect.flatMap(app.request("/metrics"), (answer) => Effect.promise(() => answer.text()))
    assert.include(metrics, "\nagent_console_stopped 1\n")
    assert.include(metrics, '\nagent_console_budgets{state="paused"} 0\n')
    for (let times = 0; times < 2; times += 1)
      assert.deepStrictEqual((yield* send("DELETE", "/api/stop")).body, { active: false })
    assert.containSubset((yield* send("POST", "/api/stop")).body, { active: true })
  })
)

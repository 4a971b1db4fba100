import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "../../support/consoleLife.ts"
import { makeBudgetLife } from "./budgetLife.ts"

const KEY = "agent:main:work"
const DAY = { scope: { kind: "all" }, period: "day", zone: "UTC" } as const

describe.for(["new", "old"] as const)("with a gateway of the %s generation", (generation) => {
  it.live("every response counts once, exactly as the gateway's figures say, also after a restart", () =>
    Effect.gen(function* () {
      const life = yield* makeBudgetLife(generation)
      const first = yield* Effect.scoped(
        Effect.gen(function* () {
          const { budget, create } = yield* life.start
          const { id } = yield* create({ ...DAY, limit: { usd: 5 } })
          yield* life.sayAndWait("hello", KEY)
          yield* life.sayAndWait("hello again", KEY)
          const { nano, turns } = yield* life.figures(KEY)
          const counted = yield* eventually(budget(id), ({ spent }) => spent.turns === turns)
          assert.strictEqual(Math.round(counted.spent.usd * 1e9), nano)
          assert.isAbove(nano, 0)
          assert.isAbove(counted.spent.minutes, 0)
          return id
        })
      )
      // Nobody listens: what is said now is read after the start.
      yield* life.sayAndWait("meanwhile", KEY)
      const { budget, create } = yield* life.start
      const { nano, turns } = yield* life.figures(KEY)
      const counted = yield* eventually(budget(first), ({ spent }) => spent.turns === turns)
      assert.strictEqual(Math.round(counted.spent.usd * 1e9), nano)
      const later = yield* create({ ...DAY, period: "week", limit: { usd: 5 } })
      assert.strictEqual(Math.round(later.spent.usd * 1e9), nano, "what was spent before it was made counts")
      assert.strictEqual(later.spent.turns, turns)
    })
  )

  it.live("at the limit the turn stops, messages wait, and `again` goes on once", () =>
    Effect.gen(function* () {
      const life = yield* makeBudgetLife(generation)
      const { budget, call, create, items, outbox, send, until } = yield* life.start
      const { id } = yield* create({ ...DAY, limit: { turns: 3 } })
      yield* send(KEY, "long work")
      const paused = yield* until(id, "paused")
      yield* life.quiet
      const { turns } = yield* life.figures(KEY)
      assert.isAtMost(turns, 5, "at most the response that was running")
      const [item] = yield* items()
      assert.containSubset(item, { id: paused.itemId, kind: "budget", state: "open" })
      assert.deepStrictEqual(
        item?.actions.map((action) => action.id),
        ["again", "raise", "finish", "keep"]
      )
      yield* send(KEY, "and hello")
      assert.containSubset(yield* outbox, [{ text: "and hello", state: "waiting", held: { by: "budget", id } }])
      yield* life.say("hello from elsewhere", KEY)
      yield* life.quiet
      const resolved = yield* call("POST", `/api/inbox/${item?.id}/resolve`, { action: "again" })
      assert.strictEqual(resolved.status, 200, JSON.stringify(resolved.body))
      assert.containSubset(resolved.body, { state: "resolved", resolution: { action: "again", by: "console" } })
      const { extra, spent } = yield* budget(id)
      // As often as it takes, however late a busy machine was.
      assert.strictEqual((extra.turns ?? 0) % 3, 0)
      assert.isAbove(3 + (extra.turns ?? 0), spent.turns)
      yield* eventually(outbox, (all) => all.length === 0)
      yield* life.quiet
      const asked = yield* life.asked(KEY)
      assert.lengthOf(
        asked.filter((text) => text.includes("continue from where you stopped")),
        1
      )
      assert.isTrue(asked.some((text) => text.includes("and hello")))
    })
  )

  it.live("`keep` leaves it paused, and nothing goes on until its period ends or it's removed", () =>
    Effect.gen(function* () {
      const life = yield* makeBudgetLife(generation)
      const { budget, call, create, items, outbox, send, until } = yield* life.start
      const { id } = yield* create({ ...DAY, limit: { turns: 3 } })
      yield* send(KEY, "long work")
      const { itemId } = yield* until(id, "paused")
      yield* life.quiet
      const kept = yield* call("POST", `/api/budgets/${id}/resolve`, { action: "keep" })
      assert.strictEqual(kept.status, 200, JSON.stringify(kept.body))
      assert.containSubset(kept.body, { state: "paused", extra: {}, version: 1 })
      assert.lengthOf(yield* items(), 0)
      assert.containSubset(yield* items("?state=resolved"), [
        { id: itemId, state: "resolved", resolution: { action: "keep", by: "console" } }
      ])
      yield* send(KEY, "and hello")
      yield* life.quiet
      assert.containSubset(yield* outbox, [{ text: "and hello", state: "waiting", held: { by: "budget", id } }])
      assert.strictEqual((yield* budget(id)).state, "paused")
      assert.isFalse((yield* life.asked(KEY)).some((text) => text.includes("continue from where")))
      yield* call("DELETE", `/api/budgets/${id}`)
      yield* eventually(life.asked(KEY), (asked) => asked.some((text) => text.includes("and hello")))
    })
  )

  it.live("a card's run is paused, goes on under the same run, and ends in review", () =>
    Effect.gen(function* () {
      const life = yield* makeBudgetLife(generation)
      const { call, create, execute, items, makeCard, task, until } = yield* life.start
      const card = yield* makeCard("work")
      const { id } = yield* create({ scope: { kind: "task", taskId: card.id }, period: "run", limit: { turns: 3 } })
      yield* call("PATCH", `/api/kanban/tasks/${card.id}`, { version: card.version, title: "long work" })
      assert.strictEqual((yield* execute(card.id)).status, 200)
      yield* until(id, "paused")
      yield* life.quiet
      const [item] = yield* items()
      assert.match(item?.title ?? "", /: Budget of the card “long work”$/)
      assert.deepStrictEqual(item?.why?.values, { scope: "SCOPE_NAMED_TASK", name: "long work" })
      const stopped = yield* task(card.id)
      assert.containSubset(stopped, { status: "in-progress", run: { status: "running", paused: { budgetId: id } } })
      const other = yield* makeCard("other")
      assert.strictEqual((yield* execute(other.id)).status, 200, "another card isn't held")
      const raised = yield* call("POST", `/api/budgets/${id}/resolve`, { action: "raise", text: "50" })
      assert.strictEqual(raised.status, 200, JSON.stringify(raised.body))
      assert.containSubset(raised.body, { limit: { turns: 50 }, version: 2 })
      const done = yield* eventually(task(card.id), ({ status }) => status !== "in-progress")
      assert.containSubset(done, { status: "review", result: "Went on to the end.", run: { status: "done" } })
      assert.strictEqual(done.run?.sessionKey, stopped.run?.sessionKey)
      assert.notProperty(done.run, "paused")
    })
  )

  it.live("`finish` gives a card one last turn, which ends in review while the budget stays paused", () =>
    Effect.gen(function* () {
      const life = yield* makeBudgetLife(generation)
      const { call, create, execute, items, makeCard, task, until } = yield* life.start
      const card = yield* makeCard("long work")
      const other = yield* makeCard("hello")
      const { id } = yield* create({ ...DAY, limit: { turns: 3 } })
      yield* execute(card.id)
      const { itemId } = yield* until(id, "paused")
      yield* life.quiet
      assert.containSubset(yield* execute(other.id), { status: 409, body: { error: "budget_paused", budget: { id } } })
      assert.strictEqual((yield* call("POST", `/api/inbox/${itemId}/resolve`, { action: "finish" })).status, 200)
      const done = yield* eventually(task(card.id), ({ status }) => status !== "in-progress")
      assert.containSubset(done, { status: "review", result: "In sum: half of it is done." })
      yield* until(id, "paused")
      assert.containSubset(yield* execute(other.id), { status: 409 })
      const left = yield* eventually(items(), (all) => all.length > 0)
      assert.deepStrictEqual(
        left.map(({ kind }) => kind),
        ["review"]
      )
    })
  )

  it.live("a sub-agent's spending counts for its root, it stops first, and its root is told to go on", () =>
    Effect.gen(function* () {
      const life = yield* makeBudgetLife(generation)
      const { call, create, send, until } = yield* life.start
      const { id } = yield* create({
        scope: { kind: "session", sessionKey: KEY },
        period: "total",
        limit: { turns: 12 }
      })
      yield* send(KEY, "spawn a helper")
      yield* until(id, "paused")
      yield* life.quiet
      const child = (yield* life.rows).find(({ spawnedBy }) => spawnedBy === KEY)?.key ?? assert.fail("no child")
      const [own, childs] = [yield* life.figures(KEY), yield* life.figures(child)]
      // An older gateway stops a sub-agent only by beginning its session anew.
      if (generation === "new") assert.isAbove(childs.turns, 0)
      assert.isAtMost(own.turns + childs.turns, 16)
      yield* call("DELETE", `/api/budgets/${id}`)
      yield* eventually(life.asked(KEY), (asked) => asked.some((text) => text.includes("continue from where")))
      yield* life.quiet
      assert.isFalse((yield* life.asked(child)).some((text) => text.includes("continue from where")))
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "../../support/consoleLife.ts"
import { makeBudgetLife } from "./budgetLife.ts"

const KEY = "agent:main:odd"
const DAY = { scope: { kind: "all" }, period: "day", zone: "UTC" } as const

const response = (messageId: string, usage: unknown, more: object = {}) => ({
  sessionKey: KEY,
  messageId,
  message: {
    role: "assistant",
    content: [{ type: "text", text: "so" }],
    provider: "demo",
    model: "companion",
    stopReason: "stop",
    ...(usage === undefined ? {} : { usage }),
    ...more
  }
})

const priced = (total: unknown) => ({ input: 10, output: 10, cost: { total } })

describe("what a gateway says of a response's cost", () => {
  it.live("counts once by its id; without a price it counts as a response, and that is told once", () =>
    Effect.gen(function* () {
      const life = yield* makeBudgetLife("new")
      const { budget, create, items } = yield* life.start
      const { id } = yield* create({ ...DAY, limit: { usd: 5 } })
      const { emit } = life.control
      yield* emit("session.message", response("m1", priced(0.25)))
      // The same again, as after a reconnect, and as the copy that a compaction leaves in another session.
      const first = response("m1", priced(0.25))
      yield* emit("session.message", first)
      const copied = response("m2", priced("0.5"), { timestamp: 1_700_000_000_000 })
      yield* emit("session.message", copied)
      yield* emit("session.message", { ...copied, sessionKey: "agent:main:copy" })
      yield* emit("session.message", response("m3", undefined))
      yield* emit("session.message", response("m4", priced(-3)))
      yield* emit("session.message", response("m5", priced("much")))
      yield* emit("session.message", response("m6", priced(null)))
      yield* emit("session.message", response("m7", priced({ much: true })))
      yield* emit("session.message", response("m8", "free"))
      // What a stop leaves, and what the gateway itself writes, is no response.
      yield* emit("session.message", response("m9", priced(1), { stopReason: "aborted" }))
      yield* emit("session.message", response("m10", priced(1), { openclawAbort: { aborted: true } }))
      yield* emit("session.message", response("m11", priced(1), { provider: "openclaw" }))
      yield* emit("session.message", response("m12", priced(0.000_000_001)))
      const { spent } = yield* eventually(budget(id), (one) => one.spent.turns >= 8)
      // The second one is of another day.
      assert.deepStrictEqual({ ...spent, minutes: 0 }, { usd: 0.250_000_001, minutes: 0, turns: 8, unpriced: 6 })
      const told = yield* items()
      assert.deepStrictEqual(
        told.map(({ actions, kind }) => [kind, actions.map((action) => action.id)]),
        [["budget", ["dismiss"]]]
      )
    })
  )

  it.live("counts at once, also while much that was missed is read", () =>
    Effect.gen(function* () {
      const life = yield* makeBudgetLife("new")
      const { id } = yield* Effect.scoped(
        Effect.flatMap(life.start, ({ create }) =>
          create({ scope: { kind: "session", sessionKey: KEY }, period: "total", limit: { turns: 1 } })
        )
      )
      for (let index = 0; index < 80; index += 1) yield* life.sayAndWait("hello", `agent:main:missed-${index}`)
      const { request, until } = yield* life.start
      yield* life.control.emit("session.message", response("early", priced(0.1)))
      const { spent } = yield* until(id, "paused")
      const metrics = yield* Effect.flatMap(request("/metrics"), (answer) => Effect.promise(() => answer.text()))
      const [, lag = "0"] = /agent_console_feed_lag_seconds\{gateway="primary"\} (\S+)/.exec(metrics) ?? []
      assert.isAbove(Number(lag), 0, "it's still reading")
      assert.strictEqual(spent.turns, 1)
    })
  )

  it.live("warns once in a period, stops at a limit of minutes, and a lower limit pauses", () =>
    Effect.gen(function* () {
      const life = yield* makeBudgetLife("new")
      const { budget, call, create, items, send, until } = yield* life.start
      const minutes = yield* create({ ...DAY, period: "week", limit: { minutes: 0.02 }, action: "stop" })
      const turns = yield* create({ ...DAY, limit: { turns: 10 }, warnAt: 0.5 })
      yield* send(KEY, "hang")
      const paused = yield* until(minutes.id, "paused")
      assert.isBelow(paused.spent.minutes, 0.02 + 0.1)
      yield* life.quiet
      assert.containSubset(yield* items(), [
        { kind: "budget", actions: [{ id: "again" }, { id: "raise" }, { id: "dismiss" }] }
      ])
      for (let count = 0; count < 7; count += 1)
        yield* life.control.emit("session.message", response(`n${count}`, priced(0.1)))
      yield* until(turns.id, "warned")
      assert.lengthOf(yield* items(), 2)
      const low = yield* call("PATCH", `/api/budgets/${turns.id}`, { version: 1, limit: { turns: 3 } })
      assert.containSubset(low.body, { state: "paused", version: 2, limit: { turns: 3 } })
      assert.strictEqual(
        (yield* call("POST", `/api/budgets/${turns.id}/resolve`, { action: "raise", text: "3" })).status,
        400
      )
      assert.strictEqual((yield* call("POST", `/api/budgets/${turns.id}/resolve`, { action: "dismiss" })).status, 400)
      const high = yield* call("PATCH", `/api/budgets/${turns.id}`, { version: 2, limit: { turns: 30 } })
      assert.containSubset(high.body, { state: "ok", version: 3 })
      const ended = yield* items("?state=resolved")
      assert.isTrue(ended.some(({ resolution }) => resolution?.action === "ended" && resolution.by === "console"))
      assert.strictEqual((yield* budget(minutes.id)).state, "paused")
      yield* call("DELETE", `/api/budgets/${minutes.id}`)
      assert.lengthOf(yield* items(), 0)
    })
  )
})

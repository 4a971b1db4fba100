import { assert, describe, it } from "@effect/vitest"
import {
  amountIn,
  budgetForm,
  budgetIn,
  newBudgetForm,
  numberIn,
  patchIn,
  scopeOf,
  withKind
} from "../../../src/core/budgets/budgetForm.ts"
import { runningWork } from "../../../src/core/budgets/runningWork.ts"
import { makeBudget } from "../../support/budget.ts"
import { sessionRow } from "../../support/sessionRow.ts"

describe("the form of a budget", () => {
  it("reads amounts with a point or a comma, and names what is wrong", () => {
    assert.deepStrictEqual([" 0,50 ", "$ 5", ".2", "1e3", "-1", "five"].map(numberIn), [0.5, 5, 0.2, null, null, null])
    assert.deepStrictEqual(amountIn("usd", "0"), {
      ok: false,
      field: "limit",
      message: "Choose more than 0 and at most 1,000,000."
    })
    assert.strictEqual(amountIn("turns", "1.5").ok, false)
    assert.deepStrictEqual(amountIn("minutes", "1.5"), { ok: true, value: 1.5 })
  })

  it("asks for a limit and for what it is about", () => {
    const form = newBudgetForm(null)
    const empty = budgetIn(form, "UTC")
    assert.strictEqual(!empty.ok && empty.field, "limit")
    const none = budgetIn({ ...withKind(form, "agent"), usd: "5" }, "UTC")
    assert.strictEqual(!none.ok && none.field, "target")
    const early = budgetIn({ ...form, usd: "5", warnAt: "20" }, "UTC")
    assert.strictEqual(!early.ok && early.field, "warnAt")
  })

  it("sends what was chosen, a session by its gateway and its own key", () => {
    const scope = scopeOf({ kind: "session", gatewayId: "primary", target: "@two:agent:main:main" })
    assert.deepStrictEqual(scope, { kind: "session", gatewayId: "two", sessionKey: "agent:main:main" })
    const read = budgetIn({ ...newBudgetForm(scope), period: "run", usd: "0.2", turns: "40" }, "Europe/Berlin")
    assert.deepStrictEqual(read, {
      ok: true,
      value: {
        scope,
        period: "run",
        limit: { usd: 0.2, turns: 40 },
        warnAt: 0.8,
        action: "ask",
        zone: "Europe/Berlin"
      }
    })
  })

  it("offers runs only for what has runs", () => {
    assert.strictEqual(withKind({ ...newBudgetForm(null), kind: "job", period: "run" }, "gateway").period, "day")
    assert.strictEqual(newBudgetForm({ kind: "job", jobId: "j" }).period, "run")
  })

  it("changes a budget by its version, and takes its name away", () => {
    const budget = makeBudget({ name: "Team", version: 4, limit: { usd: 5, minutes: 10 } })
    const form = { ...budgetForm(budget), name: " ", minutes: "" }
    assert.deepStrictEqual(patchIn(form, budget), {
      ok: true,
      value: { version: 4, name: null, limit: { usd: 5 }, warnAt: 0.8, action: "ask" }
    })
  })

  it("counts what runs once: cards and jobs aren't sessions as well", () => {
    const rows = [
      sessionRow({ key: "a", title: "Chat", running: true }),
      sessionRow({ key: "b", title: "Idle" }),
      sessionRow({ key: "c", title: "On a card", running: true, kind: "task" }),
      sessionRow({ key: "d", title: "Nightly", running: true, kind: "cron" })
    ]
    assert.deepStrictEqual(runningWork(rows, [{ key: "t1", title: "Fix the door", sessionKey: "c" }]), {
      sessions: [{ key: "a", title: "Chat" }],
      cards: [{ key: "t1", title: "Fix the door" }],
      jobs: [{ key: "d", title: "Nightly" }]
    })
  })
})

import { assert, describe, it } from "@effect/vitest"
import { withChange } from "../../../src/core/budgets/BudgetsStore.ts"
import {
  allowancesOf,
  inOrder,
  nearestOf,
  periodStart,
  raisedUnit,
  scopeKey,
  usedUpAt
} from "../../../src/core/budgets/budgetRules.ts"
import { makeBudget } from "../../support/budget.ts"

const at = (time: string): number => Date.parse(time)

describe("budget rules", () => {
  it("adds what was granted to the limit, unit by unit", () => {
    const budget = makeBudget({
      limit: { usd: 5, turns: 10 },
      extra: { usd: 5 },
      spent: { usd: 6, minutes: 2, turns: 9, unpriced: 0 }
    })
    assert.deepStrictEqual(allowancesOf(budget), [
      { unit: "usd", spent: 6, allowed: 10 },
      { unit: "turns", spent: 9, allowed: 10 }
    ])
    assert.strictEqual(nearestOf(budget)?.unit, "turns")
    assert.strictEqual(raisedUnit({ minutes: 3, turns: 4 }), "minutes")
  })

  it("knows when a period began, also a month by its length", () => {
    const resetsAt = at("2026-11-28T00:00:00Z")
    assert.strictEqual(periodStart({ period: "day", resetsAt }), at("2026-11-27T00:00:00Z"))
    assert.strictEqual(periodStart({ period: "week", resetsAt }), at("2026-11-21T00:00:00Z"))
    const months = [
      ["2026-03-01T00:00:00Z", "2026-02-01T00:00:00Z"],
      // The zones furthest from UTC.
      ["2026-02-28T10:00:00Z", "2026-01-31T10:00:00Z"],
      ["2026-03-01T12:00:00Z", "2026-02-01T12:00:00Z"],
      ["2026-01-01T00:00:00Z", "2025-12-01T00:00:00Z"]
    ] as const
    for (const [end, begin] of months)
      assert.strictEqual(periodStart({ period: "month", resetsAt: at(end) }), at(begin), end)
    assert.isNull(periodStart({ period: "total" }))
  })

  it("says how long a budget lasts at its pace", () => {
    const noon = at("2026-11-27T12:00:00Z")
    assert.strictEqual(usedUpAt(makeBudget(), noon), "lasts")
    const fast = makeBudget({ spent: { usd: 4, minutes: 0, turns: 0, unpriced: 0 } })
    assert.strictEqual(usedUpAt(fast, noon), at("2026-11-27T15:00:00Z"))
    assert.isNull(usedUpAt(makeBudget({ state: "paused" }), noon))
    assert.isNull(usedUpAt(makeBudget({ spent: { usd: 0, minutes: 0, turns: 0, unpriced: 0 } }), noon))
    assert.isNull(usedUpAt(makeBudget(), at("2026-11-27T00:05:00Z")))
  })

  it("takes an absent gateway as the primary one", () => {
    assert.strictEqual(
      scopeKey({ kind: "session", sessionKey: "agent:main:main" }),
      scopeKey({ kind: "session", gatewayId: "primary", sessionKey: "agent:main:main" })
    )
    assert.notStrictEqual(
      scopeKey({ kind: "agent", agentId: "a" }),
      scopeKey({ kind: "agent", gatewayId: "b", agentId: "a" })
    )
  })

  it("puts what is paused first, and takes the console's changes in", () => {
    const paused = makeBudget({ id: "b2", state: "paused" })
    assert.deepStrictEqual(
      inOrder([makeBudget(), paused]).map(({ id }) => id),
      ["b2", "b1"]
    )
    const list = { budgets: [makeBudget()], stop: { active: false } }
    const more = withChange(list, { action: "created", budget: paused })
    assert.deepStrictEqual(
      more.budgets.map(({ id }) => id),
      ["b2", "b1"]
    )
    assert.deepStrictEqual(withChange(more, { action: "removed", budget: paused }), list)
  })
})

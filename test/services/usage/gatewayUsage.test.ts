import { assert, describe, it } from "@effect/vitest"
import { dayTotals, gatewayUsageRows } from "../../../src/services/usage/gatewayUsage.ts"

const totals = { input: 7000, output: 700, cacheRead: 5, cacheWrite: 1, totalCost: 0.0084 }
const notes = {
  provider: "openclaw",
  model: "gateway-injected",
  count: 3,
  totals: { ...totals, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalCost: 0 }
}

describe("gatewayUsageRows", () => {
  it("leaves the gateway's own notes out and puts a session's errors on its first model", () => {
    const model = { provider: "mock", model: "mock-fast", count: 2, totals }
    const rows = gatewayUsageRows({
      sessions: [
        {
          key: "agent:main:main",
          sessionId: "s",
          agentId: "main",
          usage: { modelUsage: [notes, model, { ...model, model: "mock-think" }], messageCounts: { errors: 4 } }
        },
        { key: "agent:main:silent", usage: { modelUsage: [notes], messageCounts: { errors: 1 } } },
        { key: "agent:main:new", usage: null }
      ]
    })
    assert.deepStrictEqual(
      rows.map((row) => [row.session, row.provider, row.model, row.messages, row.errors]),
      [
        ["s", "mock", "mock-fast", 2, 4],
        ["s", "mock", "mock-think", 2, 0]
      ]
    )
    assert.deepInclude(rows[0], { input: 7000, output: 700, cacheRead: 5, cacheWrite: 1, nanoDollars: 8_400_000 })
  })

  it("finds the agent in the session's key where the gateway does not name it", () => {
    const usage = { modelUsage: [{ provider: "mock", model: "mock-fast", count: 1, totals }] }
    const agents = gatewayUsageRows({
      sessions: [
        { key: "agent:helper:main", usage },
        { key: "agent:helper:main", agentId: "renamed", usage },
        { key: "global", usage }
      ]
    }).map(({ agent }) => agent)
    assert.deepStrictEqual(agents, ["helper", "renamed", "main"])
  })
})

describe("dayTotals", () => {
  const day = { date: "2026-11-20", tokens: 10, cost: 0.5, messages: 2, errors: 0 }
  const of = (...daily: ReadonlyArray<typeof day>) => ({ aggregates: { daily } })

  it("adds up what answers about different agents report a day", () => {
    const both = dayTotals([of(day, { ...day, date: "2026-11-21" }), of({ ...day, tokens: 5, cost: 0.25 })])
    assert.deepStrictEqual([...both.keys()], ["2026-11-20", "2026-11-21"])
    const together = dayTotals([of({ date: "2026-11-20", tokens: 15, cost: 0.75, messages: 4, errors: 0 })])
    assert.deepStrictEqual(both.get("2026-11-20"), together.get("2026-11-20"))
  })

  it("has other figures as soon as tokens, costs, messages or errors differ", () => {
    const figures = [day, { ...day, tokens: 11 }, { ...day, cost: 0.6 }, { ...day, messages: 3 }, { ...day, errors: 1 }]
    const told = figures.map((one) => dayTotals([of(one)]).get(day.date)?.figures)
    assert.strictEqual(new Set(told).size, figures.length)
  })
})

import { assert, describe, it } from "@effect/vitest"
import { readLimits } from "../../../src/core/operations/limits.ts"

describe("limits of a coding agent", () => {
  it("of agent A count seconds and may have credits", () => {
    const limits = readLimits({
      available: true,
      source: "local",
      five_hour_limit: {
        used_percent: 42.4,
        left_percent: 57.6,
        resets_at: 1_795_000_000,
        resets_at_formatted: "09:00"
      },
      weekly_limit: { used_percent: 140, left_percent: 0, resets_at: null, resets_at_formatted: null },
      credits: { has_credits: true, unlimited: false, balance: 12 },
      plan_type: "plus"
    })
    assert.deepStrictEqual(limits, {
      available: true,
      windows: [
        { name: "5 hours", used: 42.4, resetsAt: 1_795_000_000_000, resetsText: "09:00" },
        { name: "This week", used: 100, resetsAt: null, resetsText: null }
      ],
      plan: "plus",
      credits: "Credits left: 12",
      fromFiles: true
    })
  })

  it("of agent B count milliseconds or keep the tool's words", () => {
    const limits = readLimits({
      available: true,
      session_limit: { used_percent: 5, left_percent: 95, resets_at_epoch: 1_795_000_000_000, resets_at_raw: "3pm" },
      weekly_limit: { used_percent: 9, left_percent: 91, resets_at_epoch: null, resets_at_raw: "some day" }
    })
    assert.deepStrictEqual(limits.available === true ? limits.windows : [], [
      { name: "This session", used: 5, resetsAt: 1_795_000_000_000, resetsText: "3pm" },
      { name: "This week", used: 9, resetsAt: null, resetsText: "some day" }
    ])
  })

  it("that are not known say why", () => {
    assert.deepStrictEqual(readLimits({ available: false, error: "agent B's tool cannot be run: install it" }), {
      available: false,
      reason: "agent B's tool cannot be run: install it",
      asking: false
    })
    assert.deepInclude(readLimits({ available: false, error: "wait", pending: true }), { asking: true })
  })
})

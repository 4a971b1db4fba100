import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { AgentALimits, AgentBLimits } from "../../../../src/contract/schema/usage.ts"
import { StartHolds, StartHoldsLive } from "../../../../src/services/holds/StartHolds.ts"
import { Settings } from "../../../../src/services/platform/settings/Settings.ts"
import { AgentLimits } from "../../../../src/services/usage/limits/AgentLimits.ts"
import { UsageWindows } from "../../../../src/services/usage/limits/UsageWindows.ts"
import { codingAgentOf, usedUpWindow } from "../../../../src/services/usage/limits/usedUpWindows.ts"
import { testSettings } from "../../../support/testSettings.ts"

const windowA = (used: number, resetsAt: number | null) => ({
  used_percent: used,
  left_percent: 100 - used,
  resets_at: resetsAt,
  resets_at_formatted: null
})
const limitsA = (fiveHours: number, weekly: number, balance = 0): AgentALimits => ({
  available: true,
  source: "api",
  five_hour_limit: windowA(fiveHours, 100),
  weekly_limit: windowA(weekly, 500),
  credits: { has_credits: balance > 0, unlimited: false, balance },
  plan_type: "plus"
})
const limitsB = (used: number, resetsAt: number | null): AgentBLimits => ({
  available: true,
  session_limit: { used_percent: used, left_percent: 100 - used, resets_at_epoch: resetsAt, resets_at_raw: "" },
  weekly_limit: null
})

describe("the usage window of a coding agent", () => {
  it("is known by the provider of the model", () => {
    assert.deepStrictEqual(
      ["openai-codex/gpt-5", "claude-cli/opus", "anthropic/opus", "constructor/x", undefined].map(codingAgentOf),
      ["a", "b", undefined, undefined, undefined]
    )
  })

  it("is used up until the last of its full windows ends", () => {
    assert.isUndefined(usedUpWindow(limitsA(99, 99), 0))
    assert.deepStrictEqual(usedUpWindow(limitsA(100, 20), 0), { until: 100_000 })
    assert.deepStrictEqual(usedUpWindow(limitsA(100, 100), 0), { until: 500_000 })
    assert.isUndefined(usedUpWindow(limitsA(100, 20), 100_000))
    assert.isUndefined(usedUpWindow(limitsA(100, 100, 5), 0))
    assert.deepStrictEqual(usedUpWindow(limitsB(100, null), 0), {})
    assert.isUndefined(usedUpWindow({ available: false, error: "No tool." }, 0))
  })

  it.effect("holds a card of this machine's gateway once it's known, and is asked for once a minute", () =>
    Effect.gen(function* () {
      let asked = 0
      let used = 100
      const limits = Layer.mock(AgentLimits, {
        agentB: Effect.sync(() => {
          asked += 1
          return limitsB(used, 3_600_000)
        })
      })
      const settings = Settings.layerOf(testSettings({ gatewayUrl: "http://127.0.0.1:18789" }))
      yield* Effect.gen(function* () {
        const holds = yield* StartHolds
        const usage = (gatewayId: string, model: string) =>
          Effect.gen(function* () {
            const { usageOf } = yield* holds.conditions
            const found = usageOf({ taskId: "t", gatewayId, agentId: "main", model })
            for (let turn = 0; turn < 20; turn += 1) yield* Effect.yieldNow
            return found
          })
        assert.isUndefined(yield* usage("primary", "anthropic/opus"))
        assert.isUndefined(yield* usage("added", "claude-cli/opus"))
        assert.strictEqual(asked, 0)
        assert.isUndefined(yield* usage("primary", "claude-cli/opus"))
        assert.deepStrictEqual(yield* usage("primary", "claude-cli/opus"), { until: 3_600_000 })
        assert.strictEqual(asked, 1)
        used = 20
        yield* TestClock.adjust("1 minute")
        yield* usage("primary", "claude-cli/opus")
        assert.isUndefined(yield* usage("primary", "claude-cli/opus"))
        assert.strictEqual(asked, 2)
      }).pipe(
        Effect.provide(
          UsageWindows.pipe(Layer.provideMerge(StartHoldsLive), Layer.provide(limits), Layer.provide(settings))
        )
      )
    })
  )
})

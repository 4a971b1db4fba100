import { assert, describe, it } from "@effect/vitest"
import { shortTime } from "../../src/core/common/timeText.ts"
import { costLabel } from "../../src/core/sessions/sessionChoices.ts"
import { nextIndex } from "../../src/sessions/moveFocus.ts"
import { contextShare, costText, figuresText, stateLabel } from "../../src/sessions/sessionPresentation.ts"

describe("figures of a session", () => {
  it("are left out where the gateway does not report them, and never out of bounds", () => {
    assert.isNull(contextShare({ totalTokens: null, contextTokens: 100 }))
    assert.isNull(contextShare({ totalTokens: 5, contextTokens: 0 }))
    assert.strictEqual(contextShare({ totalTokens: 50, contextTokens: 200 }), 0.25)
    assert.strictEqual(contextShare({ totalTokens: 500, contextTokens: 200 }), 1)
    assert.deepStrictEqual([null, 0, 0.004, 0.005, 1.239, 99.99, 1_234.5].map(costText), [
      "",
      "",
      "",
      "<$0.01",
      "$1.24",
      "$99.99",
      "$1,235"
    ])
  })
})

describe("figuresText", () => {
  it("says in words what the meter and the amount show", () => {
    const figures = { totalTokens: 64_000, contextTokens: 128_000, cost: 0.042 }
    assert.strictEqual(figuresText(figures), "Context: 50%, Cost: $0.04 (gateway's estimate)")
    assert.strictEqual(figuresText({ ...figures, totalTokens: 10 }), "Cost: $0.04 (gateway's estimate)")
    assert.strictEqual(figuresText({ totalTokens: null, contextTokens: null, cost: null }), "")
  })
})

describe("shortTime", () => {
  it("is the time of day today, and the day before that, with its year if it isn't this one", () => {
    const now = new Date(2026, 10, 23, 12).getTime()
    assert.strictEqual(shortTime(new Date(2026, 10, 23, 9, 5).getTime(), now, "en-GB"), "09:05")
    assert.strictEqual(shortTime(new Date(2026, 10, 22, 9, 5).getTime(), now, "en-GB"), "22 Nov")
    assert.strictEqual(shortTime(new Date(2025, 10, 22).getTime(), now, "en-GB"), "22 Nov 2025")
    assert.strictEqual(shortTime(0, now, "en-GB"), "")
  })
})

describe("stateLabel", () => {
  it("has different words for each state that asks for attention", () => {
    const labels = (["working", "waiting", "unread", "error"] as const).map(stateLabel)
    assert.deepStrictEqual(labels, ["Working", "Waiting for you", "New response", "Failed"])
    assert.strictEqual(stateLabel("idle"), "")
  })
})

describe("nextIndex", () => {
  it("walks and stays within the list", () => {
    assert.strictEqual(nextIndex("ArrowDown", 0, 3), 1)
    assert.strictEqual(nextIndex("ArrowDown", 2, 3), 2)
    assert.strictEqual(nextIndex("ArrowUp", 0, 3), 0)
    assert.strictEqual(nextIndex("End", 0, 3), 2)
    assert.strictEqual(nextIndex("Home", 2, 3), 0)
  })
})

it("a session's cost is that of its last response where the gateway doesn't add up", () => {
  assert.strictEqual(costLabel(4), "Cost of the last response (gateway's estimate)")
  assert.strictEqual(costLabel(3), "Cost so far (gateway's estimate)")
})

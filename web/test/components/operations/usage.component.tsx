import { assert, describe, it } from "@effect/vitest"
import { type Answers, openPage, until } from "../support/openPage.tsx"

/** The day of the page's clock. */
const TODAY = "2026-11-27"

const row = (model: string, cost: number, more: object = {}) => ({
  day: TODAY,
  provider: "mock",
  model,
  agent: "main",
  work: "",
  cost,
  messageCount: 1,
  inputTokens: 20_000,
  outputTokens: 5,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  errorCount: 0,
  ...more
})

const ROWS = [row("paid", 0.25), row("free", 0, { priced: false })]

/** A console whose second model has no price. */
const USAGE: Answers = {
  "GET /api/tokens": () => ({
    totalCost: 0.25,
    totalInput: 40_000,
    totalOutput: 10,
    totalMessages: 2,
    entries: [{ source: "mock", cost: 0.25, messageCount: 2, inputTokens: 40_000, priced: false }],
    persistent: { totalCost: 0.25, totalInput: 40_000, totalOutput: 10, lastUpdated: `${TODAY}T00:00:00.000Z` },
    updatedAt: Date.now()
  }),
  "GET /api/tokens/history": ({ query }) => ({
    from: query.get("from") ?? TODAY,
    to: TODAY,
    group: [],
    rows: (query.get("group") ?? "").includes("model") ? ROWS : [row("", 0.25, { priced: false })]
  }),
  "GET /api/agent-a-limits": () => ({ available: false, error: "no" }),
  "GET /api/agent-b-limits": () => ({ available: false, error: "no" })
}

const textOf = (element: Element | undefined): string => element?.textContent?.replace(/\s+/g, " ").trim() ?? ""

describe("usage", () => {
  it("shows what has no price as unknown, at the model and in every sum, and names days and months in UTC", async () => {
    const page = await openPage({ address: "/operations/usage", answers: USAGE })
    await page.find(".usage-month")
    await until(() => page.all('[data-figure="model"] li').length === 2)
    assert.deepStrictEqual(page.all('[data-figure="model"] .rank-value').map(textOf), ["$0.25 · 100%", "no price"])
    assert.strictEqual(textOf(page.all(".usage-big")[0]), "at least $0.25")
    const hero = page.all(".usage-hero dl div").map(textOf)
    assert.include(hero, "Today (UTC)at least $0.25")
    assert.include(hero, "In totalat least $0.25")
    assert.match(textOf(page.all(".usage-month h3")[0]), /so far \(UTC\)$/)
    assert.strictEqual(textOf(page.all('[data-figure="day-cost"] figcaption')[0]), "Cost by day (UTC)")
    assert.isTrue(page.all(".place-text").some((line) => textOf(line).startsWith("Models without a price")))
  })
})

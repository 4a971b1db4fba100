import { assert, describe, it } from "@effect/vitest"
import type { Budget } from "../../../../src/contract/schema/budget.ts"
import { makeBudget } from "../../support/budget.ts"
import { type Answers, openPage, until, wordsOf } from "../support/openPage.tsx"

const NONE = { from: "2026-11-27", to: "2026-11-27", group: [], rows: [] }

/** A console with these budgets, and no usage. */
const consoleWith = (budgets: ReadonlyArray<Budget>, more: Answers = {}): Answers => ({
  "GET /api/tokens": () => ({ totalCost: 0, entries: [], persistent: { totalCost: 0, totalInput: 0, totalOutput: 0 } }),
  "GET /api/tokens/history": () => NONE,
  "GET /api/agent-a-limits": () => ({ available: false, error: "no" }),
  "GET /api/agent-b-limits": () => ({ available: false, error: "no" }),
  "GET /api/budgets": () => ({ budgets, stop: { active: false } }),
  "GET /api/kanban/tasks": () => ({ items: [{ id: "t1", title: "Fix the door" }], total: 1, limit: 1, offset: 0 }),
  ...more
})

const openUsage = (answers: Answers) => openPage({ address: "/operations/usage", answers })
const refused = (status: number, body: object) => new Response(JSON.stringify(body), { status })

describe("budgets", () => {
  it("shows what is spent of what, how long that lasts, and when it starts anew", async () => {
    const page = await openUsage(consoleWith([makeBudget()]))
    const words = wordsOf(await page.find("[data-budget]"))
    assert.include(words, "Everything")
    assert.include(words, "Each day · Pause and ask me")
    assert.include(words, "$1.00 of $5.00")
    assert.include(words, "At this pace it lasts for the period.")
    assert.match(words, /Starts anew .+\./)
    assert.strictEqual(page.all("[data-budget] [data-action]").length, 0)
  })

  it("says what a budget is and offers one where there is none", async () => {
    const page = await openUsage(consoleWith([]))
    await page.find(".place-text", "No budgets yet.")
    await page.press("button", "New budget")
    await page.find("dialog", "New budget")
  })

  it("follows what is spent, a pause, and its end", async () => {
    const page = await openUsage(consoleWith([makeBudget({ scope: { kind: "task", taskId: "t1" } })]))
    await page.find("[data-budget] h3", "Card: Fix the door")
    const spent = { usd: 5.01, minutes: 3, turns: 9, unpriced: 2 }
    const paused = makeBudget({ scope: { kind: "task", taskId: "t1" }, spent, state: "paused", itemId: "i1" })
    page.tell("budget.changed", { action: "paused", budget: paused })
    await page.find("[data-budget].is-paused", "$5.01 of $5.00")
    await page.find("[data-budget]", "2 responses without a price aren't in the dollars.")
    assert.strictEqual((await page.find('[data-budget] a[href^="/inbox"]')).getAttribute("href"), "/inbox/i1")
    assert.deepStrictEqual(
      page.all("[data-budget] [data-action]").map((button) => button.getAttribute("data-action")),
      ["again", "raise", "finish", "keep"]
    )
    page.tell("budget.changed", { action: "resumed", budget: { ...paused, state: "ok", extra: { usd: 5 } } })
    await page.find("[data-budget]:not(.is-paused)", "$5.01 of $10.00")
    page.tell("budget.changed", { action: "removed", budget: paused })
    await page.gone("[data-budget]")
  })

  it("offers what a stopping budget can do", async () => {
    const page = await openUsage(consoleWith([makeBudget({ state: "paused", action: "stop" })]))
    await page.find("[data-action]")
    assert.deepStrictEqual(page.all("[data-budget] [data-action]").map(wordsOf), ["Once more", "Raise…", "Dismiss"])
  })

  it("decides how a paused budget goes on, and asks for the new limit", async () => {
    const paused = makeBudget({ state: "paused", spent: { usd: 5.01, minutes: 0, turns: 0, unpriced: 0 } })
    const page = await openUsage(
      consoleWith([paused], {
        "POST /api/budgets/b1/resolve": ({ body }) =>
          body.action === "raise" ? makeBudget({ limit: { usd: Number(body.text) } }) : paused
      })
    )
    await page.press('[data-action="keep"]')
    await until(() => page.asked.some(({ body, request }) => request.startsWith("POST") && body.action === "keep"))
    await page.press('[data-action="raise"]')
    await page.write(".budget-raise", "5")
    await page.fire(await page.find("[data-budget] form"), "submit")
    await page.find(".field-hint.is-error", "$5.01 is spent already: choose more.")
    await page.write(".budget-raise", "7,5")
    await page.fire(await page.find("[data-budget] form"), "submit")
    await page.find("[data-budget]:not(.is-paused)", "$1.00 of $7.50")
  })

  it("sets a budget for a card, once it has a limit", async () => {
    const page = await openUsage(
      consoleWith([], {
        "POST /api/budgets": () =>
          makeBudget({ limit: { usd: 0.2 }, scope: { kind: "task", taskId: "t1" }, period: "total" })
      })
    )
    await page.press("button", "New budget")
    await page.choose("#budget-kind", "task")
    await page.find("#budget-target option", "Fix the door")
    await page.choose("#budget-target", "t1")
    const form = await page.find("#budget-form")
    await page.fire(form, "submit")
    await page.find("#budget-limit-hint", "Set a limit in dollars, minutes or responses.")
    await page.write('[data-unit="usd"]', "0.20")
    await page.fire(form, "submit")
    await page.gone("dialog")
    const sent = page.asked.find(({ request }) => request === "POST /api/budgets")?.body
    assert.deepInclude(sent, {
      scope: { kind: "task", taskId: "t1" },
      period: "total",
      limit: { usd: 0.2 },
      action: "ask"
    })
    await page.find("[data-budget]", "$1.00 of $0.20")
  })

  it("leads to the budget that is there already", async () => {
    const known = makeBudget({ limit: { usd: 9 } })
    const page = await openUsage(
      consoleWith([known], { "POST /api/budgets": () => refused(409, { error: "budget_exists", budget: known }) })
    )
    await page.press("button", "New budget")
    await page.write('[data-unit="usd"]', "5")
    await page.fire(await page.find("#budget-form"), "submit")
    await page.find('[role="alert"]', "There's already a budget for this with the same period.")
    await page.press("dialog button", "Edit that one ($1.00 of $9.00)")
    await page.find("dialog", "Edit budget")
    assert.strictEqual((await page.find('[data-unit="usd"]')).getAttribute("value"), "9")
  })

  it("says that there are too many, as the console does", async () => {
    const details = "there are 200 budgets already: remove one first"
    const page = await openUsage(
      consoleWith([], { "POST /api/budgets": () => refused(409, { error: "too_many", details }) })
    )
    await page.press("button", "New budget")
    await page.write('[data-unit="usd"]', "5")
    await page.fire(await page.find("#budget-form"), "submit")
    await page.find('[role="alert"]', /200 budgets already/)
  })

  it("keeps what was typed when someone else was faster, and saves on top of it", async () => {
    let version = 2
    const page = await openUsage(
      consoleWith([], {
        "GET /api/budgets": () => ({ budgets: [makeBudget({ version })], stop: { active: false } }),
        "PATCH /api/budgets/b1": ({ body }) =>
          body.version === 3
            ? makeBudget({ version: 4, limit: { usd: 8 } })
            : refused(409, { error: "version_conflict", serverVersion: 3, latest: makeBudget({ version: 3 }) })
      })
    )
    await page.press("[data-budget] button", "Edit the budget")
    await page.write('[data-unit="usd"]', "8")
    version = 3
    await page.fire(await page.find("#budget-form"), "submit")
    await page.find('[role="alert"]', /Someone else changed this budget/)
    await page.fire(await page.find("#budget-form"), "submit")
    await page.gone("dialog")
    await page.find("[data-budget]", "$1.00 of $8.00")
  })

  it("removes a budget after a question", async () => {
    const page = await openUsage(consoleWith([makeBudget()], { "DELETE /api/budgets/b1": () => ({ ok: true }) }))
    await page.press("[data-budget] button", "Remove the budget")
    await page.press("dialog .button", "Remove")
    await page.gone("[data-budget]")
  })
})

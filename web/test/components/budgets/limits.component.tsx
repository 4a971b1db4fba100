import { assert, describe, it } from "@effect/vitest"
import { askLimit } from "../../../src/budgets/askLimit.ts"
import { makeBudget } from "../../support/budget.ts"
import { openPage, until } from "../support/openPage.tsx"

const SESSION = { kind: "session", gatewayId: "primary", sessionKey: "agent:main:main" } as const

describe("a limit where work is made", () => {
  it("asks for a new one, with what it is for", async () => {
    const page = await openPage({
      address: "/settings/stop",
      answers: {
        "GET /api/budgets": () => ({ budgets: [], stop: { active: false } }),
        "POST /api/budgets": () => makeBudget({ scope: SESSION })
      }
    })
    await page.find('[data-stop="stop"]:not([disabled])')
    askLimit(page.services, SESSION)
    await page.find("#budget-form strong", "Session: ")
    assert.strictEqual(page.all("#budget-kind").length, 0)
    await page.write('[data-unit="turns"]', "40")
    await page.fire(await page.find("#budget-form"), "submit")
    await page.gone("dialog")
    const sent = page.asked.find(({ request }) => request === "POST /api/budgets")?.body
    assert.deepInclude(sent, { scope: SESSION, period: "day", limit: { turns: 40 } })
  })

  it("opens the one that is there", async () => {
    const page = await openPage({
      address: "/settings/stop",
      answers: {
        "GET /api/budgets": () => ({ budgets: [makeBudget({ scope: SESSION })], stop: { active: false } })
      }
    })
    await page.find('[data-stop="stop"]:not([disabled])')
    askLimit(page.services, SESSION)
    await page.find("dialog", "Edit budget")
  })

  it("is part of a new job's form", async () => {
    const page = await openPage({
      address: "/operations/crons",
      answers: {
        "GET /api/budgets": () => ({ budgets: [], stop: { active: false } }),
        "GET /api/crons": () => ({ result: { jobs: [] } }),
        "GET /api/gateway/models": () => ({ models: [] }),
        "POST /api/crons": () => ({ id: "j1", name: "Water", schedule: { kind: "every", everyMs: 60_000 } }),
        "POST /api/budgets": () => makeBudget({ scope: { kind: "job", gatewayId: "primary", jobId: "j1" } })
      }
    })
    await page.press("button", "New job")
    await page.write("#job-name", "Water")
    await page.write("#job-prompt", "Look at the garden first.")
    await page.write("#job-limit", "much")
    await page.fire(await page.find("#job-form"), "submit")
    await page.find("#job-limit[aria-invalid]")
    await page.write("#job-limit", "0.5")
    await page.fire(await page.find("#job-form"), "submit")
    await page.gone("#job-form")
    const sent = page.asked.find(({ request }) => request === "POST /api/budgets")?.body
    assert.deepInclude(sent, {
      scope: { kind: "job", gatewayId: "primary", jobId: "j1" },
      period: "run",
      limit: { usd: 0.5 }
    })
  })

  it("says in the conversation that a budget holds it, with the choices", async () => {
    const page = await openPage({
      address: "/chat/agent:main:main",
      answers: {
        "GET /api/budgets": () => ({
          budgets: [makeBudget({ state: "paused", spent: { usd: 5, minutes: 0, turns: 0, unpriced: 0 } })],
          stop: { active: false }
        }),
        "POST /api/budgets/b1/resolve": () => makeBudget({ extra: { usd: 5 } })
      }
    })
    await page.find(".hold-notes p", "Paused by a budget: $5.00 of $5.00.")
    await page.press('.hold-notes [data-action="again"]')
    await page.gone(".hold-notes")
    await until(() => page.asked.some(({ body, request }) => request.endsWith("/resolve") && body.action === "again"))
  })
})

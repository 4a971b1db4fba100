import { assert, describe, it } from "@effect/vitest"
import { type Answers, openPage, until, wordsOf } from "../support/openPage.tsx"

const SINCE = Date.parse("2026-11-27T11:55:00Z")

const consoleThat = (stop: object, more: Answers = {}): Answers => ({
  "GET /api/budgets": () => ({ budgets: [], stop }),
  "GET /api/kanban/tasks": () => ({
    items: [{ id: "t1", title: "Fix the door", run: { status: "running", sessionKey: "agent:main:task-t1" } }],
    total: 1,
    limit: 200,
    offset: 0
  }),
  ...more
})

describe("the stop of everything", () => {
  it("says before what stops, and is on every screen while it lasts", async () => {
    let stopped = { active: false } as object
    const page = await openPage({
      address: "/settings/stop",
      answers: consoleThat(
        {},
        {
          "GET /api/budgets": () => ({ budgets: [], stop: stopped }),
          "POST /api/stop": ({ body }) => {
            stopped = { active: true, since: SINCE, by: "operator", reason: body.reason }
            page.tell("stop.changed", stopped)
            return { active: true, since: SINCE, by: "operator", stopped: 2 }
          },
          "DELETE /api/stop": () => {
            stopped = { active: false }
            return stopped
          }
        }
      )
    })
    await page.press('[data-stop="stop"]:not([disabled])')
    assert.strictEqual(wordsOf(await page.find("dialog")), "Stop everything?")
    await page.find("dialog li", "1 card")
    await page.find("dialog li li", "Fix the door")
    await page.write("#stop-reason", "Rate bill")
    await page.press("dialog .is-danger")
    await page.find(".notice", "Stopped 2 sessions.")
    await page.find(".stop-bar", "Everything is stopped")
    await page.find(".stop-bar p", "Rate bill")
    page.services.router.navigate("/inbox")
    await page.find("h1", "Inbox")
    await page.press(".stop-bar button", "Resume")
    await page.gone(".stop-bar")
    await page.find('[data-stop="stop"]')
  })

  it("follows a stop from elsewhere", async () => {
    const page = await openPage({ address: "/inbox", answers: consoleThat({ active: false }) })
    await page.find('[data-stop="stop"]:not([disabled])')
    page.tell("stop.changed", { active: true, since: SINCE, by: "cli" })
    await page.find(".stop-bar p", "Everything was stopped from the command line")
    await page.find(".stop-bar button", "Resume")
    await page.gone("[data-stop]")
    page.tell("stop.changed", { active: false })
    await page.gone(".stop-bar")
  })

  it("is in the palette, either to stop or to go on", async () => {
    const page = await openPage({ address: "/inbox", answers: consoleThat({ active: false }) })
    const offered = () => page.services.commands.available().map(({ id }) => id)
    await until(() => offered().includes("stop.everything"))
    assert.notInclude(offered(), "stop.resume")
    page.tell("stop.changed", { active: true, since: SINCE, by: "operator" })
    await page.find(".stop-bar")
    assert.include(offered(), "stop.resume")
    assert.notInclude(offered(), "stop.everything")
  })

  it("stays open and says why it couldn't stop", async () => {
    const page = await openPage({
      address: "/settings/stop",
      answers: consoleThat(
        { active: false },
        { "POST /api/stop": () => new Response(JSON.stringify({ error: "the disk is full" }), { status: 503 }) }
      )
    })
    await page.press('[data-stop="stop"]:not([disabled])')
    await page.press("dialog .is-danger")
    await page.find('dialog [role="alert"]', "Couldn't stop everything.")
  })
})

import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { accessProblems } from "./support/accessProblems.ts"
import { boardCalls } from "./support/boardCalls.ts"
import { keepPicture, withPage } from "./support/browser.ts"
import { heldAgent } from "./support/heldAgent.ts"
import { useBrowser, useConsole, useGateway } from "./support/useConsole.ts"

const panelOf = (page: Page) => page.locator(".side-panel")
const cardOf = (page: Page, title: string) =>
  page.locator(".card").filter({ has: page.locator(".card-title", { hasText: title }) })
const inColumn = (page: Page, key: string, title: string) =>
  page.locator(`[data-column="${key}"] .card`).filter({ has: page.locator(".card-title", { hasText: title }) })

describe("a card", () => {
  const console = useConsole()
  const browser = useBrowser()
  const board = boardCalls(console)

  it("is run, watched, sent back with a note, run again and approved; the result is formatted", () =>
    withPage(browser, {}, async (page) => {
      const card = await board.create({ title: "Show me a table", assignee: "agent:main" })
      await page.goto(`${console.url}/board/${card.id}`)
      const panel = panelOf(page)
      await panel.getByRole("button", { name: "Run with main" }).click()
      await panel.getByText("The agent is working").waitFor()
      await panel.getByText("The agent finished").waitFor()
      await panel.locator(".task-result table").waitFor()
      // There's a field only for what is sent back, and leaving it closes nothing else.
      assert.strictEqual(await panel.locator("#run-note").count(), 0)
      const sendBack = panel.getByRole("button", { name: "Send back and run again" })
      await sendBack.click()
      await panel.locator("#run-note:focus").press("Escape")
      await panel.locator("#run-note").waitFor({ state: "detached" })
      await panel.getByRole("button", { name: "Approve" }).waitFor()
      await sendBack.click()
      await panel.locator("#run-note:focus").waitFor()
      assert.isFalse(await panel.getByText("Say what to do differently").isVisible())
      await sendBack.click()
      await panel.getByText("Say what to do differently").waitFor()
      await panel.locator("#run-note").fill("In euros, please <script>alert(1)</script>")
      await sendBack.click()
      await panel.locator(".feedback-note", { hasText: "In euros, please <script>" }).waitFor()
      // One press: the agent is at it again, and what it handed in before stays.
      const attempts = panel.getByRole("group", { name: "Attempts" })
      await attempts.getByRole("button", { name: "Attempt 2", pressed: true }).waitFor()
      await sendBack.waitFor()
      await attempts.getByRole("button", { name: "Attempt 1" }).click()
      await panel.getByLabel("Earlier attempt").getByText("The agent finished").waitFor()
      await panel.getByLabel("Result of this attempt").locator("table").waitFor()
      await keepPicture(page, "board-attempts")
      await sendBack.click()
      await panel.locator("#run-note").fill("Later")
      await panel.getByRole("button", { name: "Only send back" }).click()
      await attempts.getByRole("button", { name: "Next attempt", pressed: true }).waitFor()
      await attempts.getByRole("button", { name: "Attempt 2" }).waitFor()
      await panel.getByRole("button", { name: "Run with main" }).click()
      await sendBack.click()
      await panel.locator("#run-note").fill("Good")
      await panel.getByRole("button", { name: "Approve" }).click()
      await inColumn(page, "done", "Show me a table").waitFor()
      await panel.locator(".task-history summary").click()
      for (const said of ["created this card", "added a note", "finished the work"])
        await panel.locator(".task-history li", { hasText: said }).first().waitFor()
    }))

  it("reads its description as it's meant, and is folded to the work while it's judged", () =>
    withPage(browser, {}, async (page) => {
      const card = await board.create({ title: "Two names", description: "Find **two** names", status: "review" })
      await board.patch(card.id, { result: "Lantern" })
      await page.goto(`${console.url}/board/${card.id}`)
      const panel = panelOf(page)
      const asked = panel.locator(".task-preview strong", { hasText: "two" })
      await asked.waitFor()
      const result = panel.locator(".task-result", { hasText: "Lantern" })
      const tops = await Promise.all([asked, result].map(async (part) => (await part.boundingBox())?.y ?? 0))
      // The result to review is first, and the request is below it.
      assert.isAbove(tops[0] ?? 0, tops[1] ?? Number.POSITIVE_INFINITY)
      assert.strictEqual(await page.locator(".board .card-title[aria-current]").textContent(), "Two names")
      assert.isFalse(await panel.locator("#task-priority").isVisible())
      await panel.locator("summary", { hasText: "Details" }).click()
      await panel.locator("#task-priority").waitFor()
      await panel.getByRole("button", { name: "Edit description" }).click()
      await page.locator("#task-description:focus").fill("Find _three_ names")
      await panel.getByRole("button", { name: "Preview description" }).click()
      await panel.locator(".task-preview em", { hasText: "three" }).waitFor()
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await page.locator(".task-foot").waitFor({ state: "detached" })
      assert.deepInclude(await board.find(card.id), { description: "Find _three_ names" })
      await panel.locator("#task-title").press("Enter")
      await page.locator("[data-edit-switch]:focus").waitFor()
    }))

  it("cards in review are judged one after the other, with the verdict always in reach", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      const result = Array.from({ length: 60 }, (_, line) => `Paragraph ${line} of a long result.`).join("\n\n")
      const cards = await Promise.all(
        ["First draft", "Second draft"].map((title) => board.create({ title, status: "review" }))
      )
      for (const { id } of cards) await board.patch(id, { result })
      await page.goto(`${console.url}/board/${cards[0]?.id}`)
      const panel = panelOf(page)
      // The title appears once, in its editor.
      assert.strictEqual(await panel.locator("#task-title").inputValue(), "First draft")
      await panel.getByText("Paragraph 0 of").waitFor()
      const verdict = panel.getByRole("button", { name: "Approve" })
      const { height } = page.viewportSize() ?? { height: 0 }
      const inReach = async () => ((await verdict.boundingBox())?.y ?? height) < height
      assert.isTrue(await inReach())
      await panel.getByText("Paragraph 59 of").scrollIntoViewIfNeeded()
      assert.isTrue(await inReach())
      assert.deepStrictEqual(await accessProblems(page), [])
      await keepPicture(page, "board-review-phone")
      await panel.getByRole("button", { name: "Next in review" }).click()
      await page.waitForURL((url) => !url.pathname.endsWith(cards[0]?.id ?? ""))
      await panel.getByRole("button", { name: "Previous in review" }).click()
      await page.waitForURL((url) => url.pathname.endsWith(cards[0]?.id ?? ""))
      await verdict.click()
      await panel
        .getByText("Approved. The card is done.")
        .or(page.getByText("Approved. The card is done."))
        .first()
        .waitFor()
    }))

  it("a run is stopped with a note, and a run that fails says why", () =>
    withPage(browser, {}, async (page) => {
      const endless = await board.create({ title: "Just hang there" })
      await page.goto(`${console.url}/board/${endless.id}`)
      const panel = panelOf(page)
      await panel.getByRole("button", { name: "Run with an agent" }).click()
      await panel.locator(".run-text", { hasText: "wait until you press Stop" }).waitFor()
      await inColumn(page, "in-progress", "Just hang there").locator(".card-state", { hasText: "Working" }).waitFor()
      // Moving it away would stop it: that is asked first.
      await panel.getByLabel("Column").selectOption("backlog")
      await page.getByRole("button", { name: "Keep it running" }).click()
      // What lies behind an open dialog can't be typed into.
      await page.getByRole("alertdialog").or(page.getByRole("dialog")).waitFor({ state: "detached" })
      await panel.locator("#run-note").fill("too slow")
      await panel.getByRole("button", { name: "Stop agent" }).click()
      await panel.getByText("The agent was stopped").waitFor()
      await panel.locator(".feedback-note", { hasText: "too slow" }).waitFor()

      const unlucky = await board.create({ title: "You must fail" })
      await page.goto(`${console.url}/board/${unlucky.id}`)
      await panel.getByRole("button", { name: "Run with an agent" }).click()
      await panel.locator(".run-outcome.is-error .run-failure").waitFor()
      await cardOf(page, "You must fail").getByText("Failed").waitFor()
    }))

  it("what two people change is merged field by field, and what both changed is decided by a person", () =>
    withPage(browser, {}, async (page) => {
      const card = await board.create({ title: "Base", description: "old", labels: ["a"] })
      await page.goto(`${console.url}/board/${card.id}`)
      await page.locator("#task-title").fill("Mine")
      await page.locator("#task-estimate").fill("15")
      await board.patch(card.id, { title: "Theirs", description: "their words", priority: "low" })
      const conflict = page.locator(".conflict", { hasText: "Theirs" })
      await conflict.waitFor()
      await page.locator(".task-preview", { hasText: "their words" }).waitFor()
      assert.strictEqual(await page.locator("#task-title").inputValue(), "Mine")
      await page.locator("#task-title").press("Control+s")
      await page.getByText("Choose which text to keep first").waitFor()
      // What was typed survives a reload.
      await page.reload()
      await conflict.waitFor()
      assert.strictEqual(await page.locator("#task-title").inputValue(), "Mine")
      await conflict.getByRole("button", { name: "Keep mine" }).click()
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await page.locator(".task-foot").waitFor({ state: "detached" })
      assert.deepInclude(await board.find(card.id), {
        title: "Mine",
        description: "their words",
        priority: "low",
        estimateMin: 15
      })
    }))

  it("a refused save keeps what was typed and says why", () =>
    withPage(browser, { expectedErrors: [/status of 500/] }, async (page) => {
      const card = await board.create({ title: "Stubborn" })
      await page.goto(`${console.url}/board/${card.id}`)
      await page.locator("#task-title").fill("New words")
      await page.route(`**/tasks/${card.id}`, (route) =>
        route.fulfill({ status: 500, json: { error: "store_failure", details: "the disk is full" } })
      )
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await page.locator(".task-foot [role=alert]", { hasText: "the disk is full" }).waitFor()
      assert.strictEqual(await page.locator("#task-title").inputValue(), "New words")
      await page.unroute(`**/tasks/${card.id}`)
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await cardOf(page, "New words").waitFor()
    }))

  it("a card deleted elsewhere during a drag or while somebody writes breaks nothing and loses no text", () =>
    withPage(browser, {}, async (page) => {
      const doomed = await board.create({ title: "Doomed" })
      await board.create({ title: "Neighbour", status: "review" })
      await page.goto(`${console.url}/board`)
      await cardOf(page, "Doomed").hover()
      const from = await cardOf(page, "Doomed").boundingBox()
      const to = await cardOf(page, "Neighbour").boundingBox()
      if (from === null || to === null) return assert.fail("no cards")
      await page.mouse.move(from.x + 40, from.y + 10)
      await page.mouse.down()
      await page.mouse.move(from.x + 60, from.y + 20, { steps: 3 })
      await board.call("DELETE", `tasks/${doomed.id}`)
      await cardOf(page, "Doomed").waitFor({ state: "detached" })
      await page.mouse.move(to.x + 40, to.y + 10, { steps: 3 })
      await page.mouse.up()
      await cardOf(page, "Neighbour").locator(".card-title").click()
      await page.locator("#task-description").fill("Words nobody else has")
      const { pathname } = new URL(page.url())
      await board.call("DELETE", `tasks/${pathname.split("/").at(-1)}`)
      await page.getByRole("button", { name: "Create a new card from your text" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Add card" }).click()
      await cardOf(page, "Neighbour").waitFor()
      const again = (await board.call("GET", "tasks?q=Neighbour")).items[0]
      assert.strictEqual(again.description, "Words nobody else has")
    }))

  it("proposals show what would change, and are approved and rejected", () =>
    withPage(browser, {}, async (page) => {
      const card = await board.create({ title: "Old name", description: "first line\nsecond line" })
      const by = { proposedBy: "agent:main" }
      await board.call("POST", "proposals", {
        type: "update",
        payload: { id: card.id, title: "New name", description: "first line\nthird line" },
        ...by
      })
      await board.call("POST", "proposals", { type: "create", payload: { title: "<img src=x>", labels: ["l"] }, ...by })
      await page.goto(`${console.url}/board`)
      await page.getByRole("link", { name: "Proposals" }).getByText("2").waitFor()
      await page.getByRole("link", { name: "Proposals" }).click()
      await page.waitForURL("**/inbox?kind=proposal")
      const change = page.locator(".approval", { hasText: "Old name" })
      await change.locator("del", { hasText: "Old name" }).waitFor()
      await change.locator("ins", { hasText: "New name" }).waitFor()
      await change.getByText("third line").waitFor()
      await change.getByRole("button", { name: "Approve" }).click()
      const fresh = page.locator(".approval", { hasText: "<img src=x>" })
      await fresh.getByRole("button", { name: "Reject with a reason…" }).click()
      await fresh.getByLabel("Why not?").fill("no pictures")
      await fresh.getByRole("button", { name: "Reject", exact: true }).click()
      await page.getByText("Nothing of this kind is waiting for you").waitFor()
      // Leaving the page decides at once what could still be undone.
      await page.goto(`${console.url}/board`)
      await cardOf(page, "New name").waitFor()
      assert.strictEqual(await cardOf(page, "<img").count(), 0)
      const { proposals } = await board.call("GET", "proposals?status=rejected")
      assert.strictEqual(proposals[0].reason, "no pictures")
    }))

  it("two tabs stay in step, and a focused card that another tab moves keeps the focus", () =>
    withPage(browser, {}, async (page) => {
      const card = await board.create({ title: "Shared" })
      await page.goto(`${console.url}/board`)
      await cardOf(page, "Shared").locator(".card-title").focus()
      const other = await page.context().newPage()
      await other.goto(`${console.url}/board/${card.id}`)
      await other.locator("#task-title").fill("Renamed")
      await other.getByRole("button", { name: "Save", exact: true }).click()
      await cardOf(page, "Renamed").waitFor()
      await other.locator("#task-status").selectOption("review")
      await inColumn(page, "review", "Renamed").waitFor()
      await page.bringToFront()
      await page.waitForFunction(() => document.activeElement?.textContent?.includes("Renamed") === true)
      await other.close()
    }))

  it("a restart of the console is caught up with, and typed text survives it", () =>
    withPage(browser, { expectedErrors: [/ERR_/, /WebSocket/, /status of 5\d\d/] }, async (page) => {
      const card = await board.create({ title: "Before", description: "before" })
      await page.goto(`${console.url}/board/${card.id}`)
      await page.locator("#task-title").fill("Typed before the restart")
      await console.restart()
      await board.patch(card.id, { description: "while the page was away" })
      await board.create({ title: "Newcomer", status: "review" })
      await inColumn(page, "review", "Newcomer").waitFor({ timeout: 30_000 })
      await page.locator(".task-preview", { hasText: "while the page was away" }).waitFor()
      assert.strictEqual(await page.locator("#task-title").inputValue(), "Typed before the restart")
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await cardOf(page, "Typed before the restart").waitFor()
    }))
})

describe("an agent at work on a card", () => {
  const { agent, letGo } = heldAgent()
  const gateway = useGateway({ agent })
  const console = useConsole(() => gateway.env)
  const browser = useBrowser()
  const board = boardCalls(console)

  it("receives a message, and reads it before it ends", () =>
    withPage(browser, {}, async (page) => {
      const card = await board.create({ title: "hold on please" })
      await page.goto(`${console.url}/board/${card.id}`)
      const panel = panelOf(page)
      await panel.getByRole("button", { name: "Run with an agent" }).click()
      await panel.locator(".run-text", { hasText: "at it" }).waitFor()
      await panel.getByRole("button", { name: "Tell the agent" }).click()
      await panel.getByText("Write what the agent should know.").waitFor()
      await panel.locator("#run-note").fill("mind the frost")
      await panel.getByRole("button", { name: "Tell the agent" }).click()
      const told = panel.locator(".run-message", { hasText: "mind the frost" })
      await told.getByText("On its way to the agent").waitFor({ state: "attached" })
      await keepPicture(page, "told")
      assert.deepStrictEqual(await accessProblems(page), [])
      assert.strictEqual(await panel.locator("#run-note").inputValue(), "")
      letGo()
      await panel.getByText("The agent finished").waitFor()
      await panel.locator(".task-result", { hasText: "Noted while I work: “mind the frost”" }).waitFor()
    }))
})

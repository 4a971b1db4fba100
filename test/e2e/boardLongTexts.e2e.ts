import { assert, beforeEach, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { boardCalls } from "./support/boardCalls.ts"
import { keepPicture, withPage } from "./support/browser.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

describe("the board's edges", () => {
  const console = useConsole()
  const browser = useBrowser()
  const board = boardCalls(console)
  beforeEach(() => board.clear())

  const height = (page: Page, selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => element.getBoundingClientRect().height)

  it("a long title leaves room for others on a phone and is whole in the panel", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      const title = "Repair the old wooden fence behind the garden shed ".repeat(10).slice(0, 499)
      await board.create({ title, status: "review" })
      await page.goto(`${console.url}/board`)
      await page.locator(".card").first().waitFor()
      await keepPicture(page, "board-long-title")
      assert.isBelow(await height(page, ".card"), 150)
      assert.isBelow(await height(page, ".quick-view"), 80)
      await page.locator(".quick-card").click()
      await page.locator(".item-title a", { hasText: "Repair the old" }).click()
      await page.locator("#task-title").waitFor()
      await keepPicture(page, "board-long-title-panel")
      assert.isBelow(await height(page, ".side-panel-head"), 80)
      const [shown, whole] = await page
        .locator("#task-title")
        .evaluate((field) => [field.clientHeight, field.scrollHeight])
      assert.isAtLeast(shown ?? 0, whole ?? 1)
    }))

  it("a label of 50 letters without a space leaves the card's menu in reach", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      await board.create({ title: "One", labels: ["W".repeat(50)] })
      await page.goto(`${console.url}/board`)
      await page.locator(".card").first().waitFor()
      const inside = await page
        .locator(".card")
        .first()
        .evaluate((card) => {
          const menu = card.querySelector("[data-card-menu]")?.getBoundingClientRect()
          return menu !== undefined && menu.right <= card.getBoundingClientRect().right
        })
      assert.isTrue(inside)
    }))

  it("a card's facts stay in one line however many there are, the date of one that is overdue first", () =>
    withPage(browser, {}, async (page) => {
      const checklist = Array.from({ length: 20 }, (_, index) => ({ text: `Step ${index}`, done: false }))
      await board.create({
        title: "One",
        assignee: "agent:somebody-with-a-very-long-name",
        dueAt: Date.now() - 172_800_000,
        estimateMin: 1_439,
        checklist
      })
      await page.goto(`${console.url}/board`)
      const facts = page.locator(".card-facts")
      await facts.waitFor()
      assert.isBelow(await height(page, ".card-facts"), 26)
      const isInSight = (fact: string) =>
        facts.locator(fact).evaluate((element) => {
          const line = element.parentElement?.getBoundingClientRect()
          const { bottom, right } = element.getBoundingClientRect()
          return line !== undefined && bottom <= line.bottom + 1 && right <= line.right + 1
        })
      assert.isTrue(await isInSight(".card-due.is-overdue"))
      assert.isFalse(await isInSight(".card-steps"))
      // Whose card it is stays, at the end of the line and with its name for everyone who can't see the face.
      await page.locator(".card-owner .agent-face").waitFor()
      const named = page.locator(".card-owner > :not([aria-hidden])")
      assert.strictEqual(await named.textContent(), "somebody-with-a-very-long-name")
    }))

  it("the names of the columns lead to each of them on a phone, and say which one is shown", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      await board.create({ title: "One", status: "review" })
      await page.goto(`${console.url}/board`)
      const tabs = page.getByRole("navigation", { name: "Columns" })
      await tabs.getByRole("button", { name: "backlog" }).and(page.locator("[aria-current]")).waitFor()
      await tabs.getByRole("button", { name: "review" }).tap()
      await tabs.getByRole("button", { name: "review" }).and(page.locator("[aria-current]")).waitFor()
      await page.waitForFunction(() => {
        const box = document.querySelector('[data-column="review"]')?.getBoundingClientRect()
        return box !== undefined && box.left >= 0 && box.right <= innerWidth
      })
    }))

  it("beside a card the board is cut between columns, and its filters are behind a button", () =>
    withPage(browser, {}, async (page) => {
      const card = await board.create({ title: "One", status: "review" })
      await page.goto(`${console.url}/board/${card.id}`)
      await page.locator(".card-title[aria-current]").waitFor()
      await page.waitForFunction(() => {
        const frame = document.querySelector(".board")?.getBoundingClientRect()
        const box = document.querySelector('[data-column="review"]')?.getBoundingClientRect()
        return frame !== undefined && box !== undefined && Math.abs(box.left - frame.left - 24) < 2
      })
      assert.isFalse(await page.locator("#filter-label").isVisible())
      await page.getByRole("button", { name: "Filters", exact: true }).click()
      await page.locator("#filter-label").waitFor()
      const inside = await page.locator(".board-filter > *, .board-choices > *").evaluateAll((parts) =>
        parts.every((part) => {
          const end = document.querySelector(".board-main")?.getBoundingClientRect().right ?? 0
          return part.getBoundingClientRect().right <= end
        })
      )
      assert.isTrue(inside)
    }))

  it("the cards are reached from the start of the page with a few keys", () =>
    withPage(browser, {}, async (page) => {
      for (const title of ["One", "Two"]) await board.create({ title, status: "review" })
      await page.goto(`${console.url}/board`)
      await page.locator(".card").first().waitFor()
      const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? "")
      await page.keyboard.press("Tab")
      assert.strictEqual(await focused(), "Skip to content")
      await page.keyboard.press("Enter")
      await page.keyboard.press("Tab")
      assert.strictEqual(await focused(), "Skip to the cards")
      await page.keyboard.press("Enter")
      await page.waitForFunction(() => document.activeElement?.textContent === "One")
      await page.keyboard.press("ArrowDown")
      await page.waitForFunction(() => document.activeElement?.textContent === "Two")
    }))
})

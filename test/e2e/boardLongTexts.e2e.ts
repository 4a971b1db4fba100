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

import { assert, beforeEach, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { boardCalls } from "./support/boardCalls.ts"
import { keepPicture, withPage } from "./support/browser.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

const column = (page: Page, key: string) => page.locator(`[data-column="${key}"]`)
const cardOf = (page: Page, title: string) =>
  page.locator(".card").filter({ has: page.locator(".card-title", { hasText: title }) })
const inColumn = (page: Page, key: string, title: string) =>
  page.locator(`[data-column="${key}"] .card`).filter({ has: page.locator(".card-title", { hasText: title }) })
const titlesIn = (page: Page, key: string) =>
  column(page, key).locator(".card-title > span:first-child").allTextContents()
const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? "")
const focusOn = (page: Page, text: string) =>
  page.waitForFunction((wanted) => document.activeElement?.textContent?.includes(wanted) === true, text)

describe("the board", () => {
  const console = useConsole()
  const browser = useBrowser()
  const board = boardCalls(console)
  beforeEach(() => board.clear())

  const open = async (page: Page, path = "/board") => {
    await page.goto(console.url + path)
    await page.locator(".board, .state-title, .side-panel").first().waitFor()
  }

  it("an empty board says what to do; a card is made with every field, by keyboard, and kept while it is not", () =>
    withPage(browser, {}, async (page) => {
      await open(page)
      await page.getByRole("link", { name: "Add the first card" }).click()
      await page.locator("#task-title").fill("Paint the fence")
      // A dialog closed by mistake loses nothing.
      await page.keyboard.press("Escape")
      await page.locator("dialog").waitFor({ state: "detached" })
      await page.locator("#main").focus()
      await page.keyboard.press("c")
      await page.waitForFunction(() => document.activeElement?.id === "task-title")
      assert.strictEqual(await page.locator("#task-title").inputValue(), "Paint the fence")
      await page.getByLabel("Description").fill("Both **sides**.")
      await page.getByLabel("Column", { exact: true }).selectOption("backlog")
      await page.locator("#task-priority").selectOption("high")
      await page.locator("#task-agent").selectOption("agent:main")
      await page.locator("#task-labels").fill("garden")
      await page.keyboard.press("Enter")
      await page.locator("#task-labels").fill("<i>x</i>")
      await page.keyboard.press(",")
      await page.getByLabel("Due date").fill("2030-05-06")
      await page.getByLabel("Estimate (minutes)").fill("90")
      await page.getByLabel("Model", { exact: true }).selectOption("demo/swift")
      await page.getByLabel("Thinking").selectOption("low")
      await page.keyboard.press("Control+Enter")
      await inColumn(page, "backlog", "Paint the fence").waitFor()
      await focusOn(page, "Paint the fence")
      const [made] = (await board.call("GET", "tasks")).items
      assert.deepInclude(made, {
        title: "Paint the fence",
        description: "Both **sides**.",
        status: "backlog",
        priority: "high",
        assignee: "agent:main",
        labels: ["garden", "<i>x</i>"],
        estimateMin: 90,
        model: "demo/swift",
        thinking: "low"
      })
      assert.strictEqual(new Date(made.dueAt).getFullYear(), 2030)
    }))

  it("cards are dragged with the mouse, to a place and to another column, and stay there", () =>
    withPage(browser, {}, async (page) => {
      for (const title of ["One", "Two", "Three"]) await board.create({ title })
      await board.create({ title: "Other", status: "review" })
      await open(page)
      await cardOf(page, "Three").hover()
      await cardOf(page, "Three").dragTo(cardOf(page, "One"), { targetPosition: { x: 30, y: 4 } })
      await page.waitForFunction(() => document.querySelector(".card-title")?.textContent?.startsWith("Three"))
      await cardOf(page, "One").hover()
      await cardOf(page, "One").dragTo(column(page, "review").locator("[data-column-list]"), {
        targetPosition: { x: 60, y: 300 }
      })
      await inColumn(page, "review", "One").waitFor()
      await page.locator(".card.is-saving").first().waitFor({ state: "detached" })
      assert.deepStrictEqual(await titlesIn(page, "todo"), ["Three", "Two"])
      await page.reload()
      await inColumn(page, "review", "One").waitFor()
      assert.deepStrictEqual(await titlesIn(page, "todo"), ["Three", "Two"])
      assert.deepStrictEqual(await titlesIn(page, "review"), ["Other", "One"])
    }))

  it("a finger lifts a card by resting on it, moves it, and a swipe only scrolls", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      await board.create({ title: "Lift me", status: "backlog" })
      await board.create({ title: "Stay here", status: "backlog" })
      await open(page)
      const touch = await page.context().newCDPSession(page)
      const send = (type: "touchStart" | "touchMove" | "touchEnd", x = 0, y = 0) =>
        touch.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] })
      const from = await cardOf(page, "Lift me").boundingBox()
      const to = await cardOf(page, "Stay here").boundingBox()
      assert.isOk(from && to)
      if (from === null || to === null) return
      await send("touchStart", from.x + 50, from.y + 20)
      await page.locator(".card-ghost").waitFor()
      await send("touchMove", from.x + 55, from.y + 40)
      await send("touchMove", to.x + 55, to.y + to.height - 4)
      await page.locator('[data-drop="after"]').waitFor()
      await send("touchEnd")
      await page.waitForFunction(() => document.querySelector(".card-title")?.textContent?.startsWith("Stay"))
      assert.strictEqual(await page.locator(".card-ghost").count(), 0)
      assert.strictEqual(new URL(page.url()).pathname, "/board")

      await send("touchStart", 300, 500)
      for (let x = 280; x > 100; x -= 30) await send("touchMove", x, 500)
      await send("touchEnd")
      await page.waitForFunction(() => (document.querySelector(".board")?.scrollLeft ?? 0) > 50)
      assert.deepStrictEqual(await titlesIn(page, "backlog"), ["Stay here", "Lift me"])
    }))

  it("the keyboard alone walks, moves, chooses, opens and closes; every move is announced", () =>
    withPage(browser, {}, async (page) => {
      for (const title of ["One", "Two"]) await board.create({ title })
      await board.create({ title: "Right", status: "review" })
      await open(page)
      await cardOf(page, "One").waitFor()
      await page.locator("#main").focus()
      await page.keyboard.press("ArrowDown")
      await focusOn(page, "One")
      await page.keyboard.press("ArrowDown")
      await focusOn(page, "Two")
      await page.keyboard.press("ArrowRight")
      await focusOn(page, "Right")
      await page.keyboard.press("ArrowLeft")
      await focusOn(page, "One")
      await page.keyboard.press("Alt+ArrowDown")
      await page.locator("[data-board-said]", { hasText: "“One” is in todo, 2 of 2" }).waitFor()
      // A card that is drawn at its new place has no focus for a moment, in which keys are still meant for it.
      await focusOn(page, "One")
      await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
      await page.keyboard.press("Alt+ArrowRight")
      await inColumn(page, "in-progress", "One").waitFor()
      await focusOn(page, "One")
      await page.waitForFunction(() => document.querySelectorAll('.board .card-title[tabindex="0"]').length === 1)

      await page.keyboard.press("m")
      await page.getByRole("menuitem", { name: "cancelled" }).click()
      await page.getByRole("link", { name: "cancelled" }).click()
      await inColumn(page, "cancelled", "One").waitFor()

      await inColumn(page, "todo", "Two").locator(".card-title").focus()
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { level: 2, name: "Two" }).waitFor()
      assert.match(page.url(), /\/board\/[0-9a-f-]{36}\?columns=all$/)
      await page.keyboard.press("Escape")
      await page.locator(".side-panel").waitFor({ state: "detached" })
      await focusOn(page, "Two")
    }))

  it("what the board does not allow is asked about, not refused in silence", () =>
    withPage(browser, {}, async (page) => {
      await board.create({ title: "Quick one", assignee: "agent:main" })
      await board.create({ title: "Own chore", assignee: "operator" })
      await board.create({ title: "Checked", status: "review" })
      await open(page)
      const dialog = page.getByRole("dialog")
      const moveTo = async (title: string, name: string) => {
        await cardOf(page, title).locator("[data-card-menu]").click()
        await page.getByRole("menuitem", { name, exact: true }).click()
      }
      await moveTo("Quick one", "done")
      await dialog.getByRole("heading", { name: "Review before done" }).waitFor()
      await page.keyboard.press("Escape")
      await inColumn(page, "todo", "Quick one").waitFor()
      await moveTo("Own chore", "done")
      await inColumn(page, "done", "Own chore").waitFor()
      await moveTo("Checked", "done")
      await dialog.getByLabel("Note (optional)").fill("well done")
      await dialog.getByRole("button", { name: "Approve" }).click()
      await inColumn(page, "done", "Checked").waitFor()

      await page.getByRole("button", { name: "More board actions" }).click()
      await page.getByRole("menuitem", { name: "Board settings" }).click()
      await dialog.getByLabel("Card limit for done").fill("2")
      await dialog.getByLabel("Allow moving cards straight to done").check()
      await dialog.getByLabel("Title of the column Done").fill("Finished")
      await dialog.getByRole("button", { name: "Save", exact: true }).click()
      await dialog.waitFor({ state: "detached" })
      await moveTo("Quick one", "Finished")
      await dialog.getByRole("heading", { name: "Finished is full" }).waitFor()
      await dialog.getByRole("button", { name: "Keep the card" }).click()
      await inColumn(page, "todo", "Quick one").waitFor()
      await focusOn(page, "Quick one")
      const done: ReadonlyArray<{ title: string; feedback: ReadonlyArray<{ note: string }> }> = (
        await board.call("GET", "tasks?status=done")
      ).items
      assert.strictEqual(done.find(({ title }) => title === "Checked")?.feedback[0]?.note, "well done")
    }))

  it("search and filter live in the address and survive a reload and the way back", () =>
    withPage(browser, {}, async (page) => {
      await board.create({ title: "Buy paint", labels: ["garden"], priority: "high" })
      await board.create({ title: "Buy milk", priority: "high" })
      await board.create({ title: "Sleep", labels: ["night"] })
      await open(page)
      await cardOf(page, "Sleep").waitFor()
      await page.locator("#filter-label").selectOption("garden")
      await cardOf(page, "Sleep").waitFor({ state: "detached" })
      await page.locator("#filter-label").selectOption("night")
      await cardOf(page, "Sleep").waitFor()
      assert.strictEqual(await page.locator(".card").count(), 2)
      assert.strictEqual(new URL(page.url()).search, "?label=garden&label=night")
      for (const label of ["garden", "night"]) {
        await page.getByRole("button", { name: `Stop filtering by the label ${label}` }).click()
      }
      await cardOf(page, "Buy milk").waitFor()
      assert.strictEqual(await page.evaluate(() => document.activeElement?.id), "filter-label")
      await page.locator("#main").focus()
      await page.keyboard.press("f")
      await page.keyboard.type("buy")
      await cardOf(page, "Sleep").waitFor({ state: "detached" })
      assert.strictEqual(await column(page, "todo").getAttribute("aria-label"), "todo, 2 matches")
      assert.strictEqual(await column(page, "done").locator(".column-empty").textContent(), "No matches")
      await page.locator("#filter-label").selectOption("garden")
      await cardOf(page, "Buy milk").waitFor({ state: "detached" })
      assert.strictEqual(new URL(page.url()).search, "?q=buy&label=garden")
      await page.reload()
      await cardOf(page, "Buy paint").waitFor()
      assert.strictEqual(await page.locator(".card").count(), 1)
      assert.strictEqual(await page.locator("[data-board-search]").inputValue(), "buy")
      await cardOf(page, "Buy paint").locator(".card-title").click()
      await page.getByRole("heading", { level: 2, name: "Buy paint" }).waitFor()
      assert.strictEqual(new URL(page.url()).search, "?q=buy&label=garden")
      await page.goBack()
      await page.locator(".side-panel").waitFor({ state: "detached" })
      await page.getByRole("button", { name: "Clear filters" }).click()
      await cardOf(page, "Sleep").waitFor()
    }))

  it("a phone has the filters behind a button, which says when some are on", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      await board.create({ title: "Buy paint", labels: ["garden"] })
      await board.create({ title: "Sleep" })
      await open(page)
      const toggle = page.getByRole("button", { name: "Filters", exact: true })
      const label = page.locator("#filter-label")
      assert.isFalse(await label.isVisible())
      await toggle.tap()
      await label.selectOption("garden")
      await cardOf(page, "Sleep").waitFor({ state: "detached" })
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.isAtMost(wide, 0)
      await keepPicture(page, "board-filters-phone")
      await toggle.tap()
      await label.waitFor({ state: "hidden" })
      await page.locator(".filter-toggle.is-on").waitFor()
      await page.getByRole("button", { name: "Clear filters" }).tap()
      await cardOf(page, "Sleep").waitFor()
      await page.locator(".filter-toggle:not(.is-on)").waitFor()
    }))

  it("several cards are labelled, moved and deleted together, and a deletion is undone", () =>
    withPage(browser, {}, async (page) => {
      for (const title of ["One", "Two", "Three"]) await board.create({ title, labels: ["old"] })
      await open(page)
      await cardOf(page, "One")
        .locator(".card-title")
        .click({ modifiers: ["Control"] })
      await cardOf(page, "Two").locator(".card-title").click()
      await page.getByRole("button", { name: "Labels", exact: true }).click()
      await page.locator("#bulk-labels").fill("new")
      await page.keyboard.press("Enter")
      await page.getByLabel("old").check()
      await page.getByRole("button", { name: "Save labels" }).click()
      await cardOf(page, "One").locator(".label-chip", { hasText: "new" }).waitFor()
      await cardOf(page, "Two").locator(".label-chip", { hasText: "new" }).waitFor()
      await page.getByRole("button", { name: "Move", exact: true }).click()
      await page.getByRole("menuitem", { name: "review" }).click()
      await inColumn(page, "review", "Two").waitFor()
      await page.locator(".selection-bar").getByRole("button", { name: "Delete" }).click()
      await cardOf(page, "Two").waitFor({ state: "detached" })
      await page.locator(".notice", { hasText: "Deleted 2 cards" }).getByRole("button", { name: "Undo" }).click()
      await inColumn(page, "review", "One").waitFor()
      const items: ReadonlyArray<{ title: string; labels: Array<string>; status: string }> = (
        await board.call("GET", "tasks")
      ).items
      assert.deepStrictEqual(
        items.map(({ title, labels, status }) => [title, labels.join(), status]),
        [
          ["Three", "old", "todo"],
          ["One", "new", "review"],
          ["Two", "new", "review"]
        ]
      )
      assert.include(await focusedText(page), "One")
    }))

  it("moves and bulk changes are undone with Ctrl+Z and in the notice, also after others changed the card", () =>
    withPage(browser, {}, async (page) => {
      for (const title of ["One", "Two"]) await board.create({ title, priority: "low" })
      await open(page)
      const notice = (text: string) => page.locator(".notice", { hasText: text })
      await cardOf(page, "One").locator(".card-title").focus()
      await page.keyboard.press("Alt+ArrowRight")
      await notice("Moved “One” to in-progress.").waitFor()
      const [one] = (await board.call("GET", "tasks?status=in-progress")).items
      await board.call("PATCH", `tasks/${one.id}`, { version: one.version, title: "One, renamed" })
      await inColumn(page, "in-progress", "One, renamed").waitFor()
      await page.keyboard.press("Control+z")
      await inColumn(page, "todo", "One, renamed").waitFor()
      await page.waitForFunction(() => document.activeElement?.matches(".card-title") === true)

      await page.keyboard.press("x")
      await page.locator(".selection-bar").getByRole("button", { name: "Priority" }).click()
      await page.getByRole("menuitem", { name: "Critical" }).click()
      await notice("Changed 1 card.").getByRole("button", { name: "Undo" }).click()
      await page.locator(".card.is-critical").waitFor({ state: "detached" })
      await page.locator(".card.is-saving").first().waitFor({ state: "detached" })
      const items: ReadonlyArray<{ title: string; status: string; priority: string }> = (
        await board.call("GET", "tasks")
      ).items
      assert.deepStrictEqual(
        items.map(({ title, status, priority }) => [title, status, priority]),
        [
          ["One, renamed", "todo", "low"],
          ["Two", "todo", "low"]
        ]
      )
    }))
})

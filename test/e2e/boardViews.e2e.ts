import { assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { boardCalls } from "./support/boardCalls.ts"
import { BOTH_SIZES, problemsInBothThemes } from "./support/bothThemes.ts"
import { withPage } from "./support/browser.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

const rowOf = (page: Page, title: string) => page.locator(".list-row").filter({ hasText: title })
const titles = (page: Page) => page.locator(".list-row .card-title").allInnerTexts()

describe("checklists, comments, the list and saved views", () => {
  const console = useConsole()
  const browser = useBrowser()
  const board = boardCalls(console)
  let shared = ""

  beforeAll(async () => {
    const card = await board.create({
      title: "Bake bread",
      priority: "high",
      labels: ["kitchen"],
      checklist: [{ text: "Flour" }]
    })
    shared = card.id
    await board.create({ title: "Answer letters", priority: "low", status: "backlog" })
    await board.create({ title: "Clean windows", priority: "critical" })
  })

  it("a comment and a tick are on the other page at once; a deleted comment comes back", () =>
    withPage(browser, {}, (page) =>
      withPage(browser, {}, async (other) => {
        for (const one of [page, other]) await one.goto(`${console.url}/board/${shared}`)
        const field = page.getByRole("textbox", { name: "Add a comment" })
        await field.fill("Use **rye**")
        await field.press("Control+Enter")
        await other.locator(".comment strong", { hasText: "rye" }).waitFor()
        await other.getByRole("checkbox", { name: "Flour" }).check()
        await page.locator(".checklist-item.is-done").waitFor()
        await page.getByRole("button", { name: "Delete the comment" }).click()
        await page.locator(".comment").waitFor({ state: "detached" })
        await page.getByRole("button", { name: "Undo" }).click()
        await page.locator(".comment").waitFor()
        const { comments } = await board.call("GET", `tasks/${shared}/comments`)
        assert.lengthOf(comments, 1)
      })
    ))

  it("a checklist is written, moved and emptied by keyboard alone", () =>
    withPage(browser, {}, async (page) => {
      const card = await board.create({ title: "Steps" })
      await page.goto(`${console.url}/board/${card.id}`)
      const add = page.getByRole("textbox", { name: "Add a checklist item" })
      for (const [index, text] of ["one", "two", "three"].entries()) {
        await add.fill(text)
        await add.press("Enter")
        await page.locator(".checklist-item").nth(index).waitFor()
      }
      const last = page.locator(".checklist-item textarea").nth(2)
      await last.press("Alt+ArrowUp")
      const texts = () =>
        page
          .locator(".checklist-item textarea")
          .evaluateAll((all) => all.map((one) => String(Reflect.get(one, "value"))))
      await page
        .locator(".checklist-item", { has: page.getByRole("checkbox", { name: "three" }) })
        .and(page.locator(":nth-child(2)"))
        .waitFor()
      await page.waitForFunction(() => document.activeElement?.closest("[data-item]") !== null)
      assert.deepStrictEqual(await texts(), ["one", "three", "two"])
      await page.locator(".checklist-item textarea").nth(0).fill("")
      await page.keyboard.press("Backspace")
      await page.locator(".checklist-item").nth(2).waitFor({ state: "detached" })
      await page.getByRole("checkbox", { name: "three" }).press("Space")
      await page.locator(".checklist-progress", { hasText: "1/2" }).waitFor()
      await page.locator(".checklist-progress", { hasText: "1 of 2 items done" }).waitFor()
    }))

  it("the list is sorted, walked, changed and selected by keyboard", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${console.url}/board?layout=list&priority=critical,high`)
      await rowOf(page, "Bake bread").waitFor()
      await page.getByRole("button", { name: "Title" }).click()
      await page.getByRole("columnheader", { name: "Title" }).and(page.locator("[aria-sort=ascending]")).waitFor()
      assert.deepStrictEqual(await titles(page), ["Bake bread", "Clean windows"])
      await page.getByRole("button", { name: "Title" }).click()
      await page.locator("[aria-sort=descending]").waitFor()
      assert.deepStrictEqual(await titles(page), ["Clean windows", "Bake bread"])
      await page.locator('.card-title[tabindex="0"]').focus()
      await page.keyboard.press("ArrowDown")
      await page.waitForFunction(() => document.activeElement?.textContent === "Bake bread")
      const priority = rowOf(page, "Bake bread").locator("[data-field=priority]")
      await priority.press("Enter")
      await page.getByRole("menuitemradio", { name: "Critical" }).click()
      await priority.getByText("Critical").waitFor()
      await page.waitForFunction(() => document.activeElement?.textContent === "Bake bread")
      await page.keyboard.press("x")
      await page.keyboard.press("ArrowUp")
      await page.keyboard.press("x")
      await page.getByText("2 cards", { exact: true }).waitFor()
      await page.keyboard.press("Delete")
      await rowOf(page, "Bake bread").waitFor({ state: "detached" })
      await page.locator(".notice", { hasText: "Deleted 2 cards" }).getByRole("button", { name: "Undo" }).click()
      await rowOf(page, "Bake bread").waitFor()
    }))

  it("a view is saved, comes back with Back, is renamed, deleted and restored, and is on the other page at once", () =>
    withPage(browser, {}, (page) =>
      withPage(browser, {}, async (other) => {
        await other.goto(`${console.url}/board`)
        await page.goto(`${console.url}/board?layout=list&label=kitchen&sort=-due`)
        await page.getByRole("link", { name: "Save view" }).click()
        await page.getByRole("textbox", { name: "Name" }).fill("Kitchen")
        await page.keyboard.press("Enter")
        const tab = (one: Page, name: string) => one.locator(".view-tab", { hasText: name })
        await page.locator(".view-tab[aria-current]", { hasText: "Kitchen" }).waitFor()
        await tab(page, "All cards").click()
        await rowOf(page, "Answer letters").waitFor()
        await page.goBack()
        await rowOf(page, "Answer letters").waitFor({ state: "detached" })
        assert.deepStrictEqual(await titles(page), ["Bake bread"])
        await tab(other, "Kitchen").click()
        await rowOf(other, "Bake bread").waitFor()
        await other.getByRole("button", { name: "Actions for the view Kitchen" }).click()
        await other.getByRole("menuitem", { name: "Rename view" }).click()
        await other.getByRole("textbox", { name: "Name" }).fill("Baking")
        await other.keyboard.press("Enter")
        await tab(page, "Baking").waitFor()
        await page.getByRole("button", { name: "Actions for the view Baking" }).click()
        await page.getByRole("menuitem", { name: "Delete view" }).click()
        await tab(other, "Baking").waitFor({ state: "detached" })
        await page.getByRole("button", { name: "Undo" }).click()
        await tab(other, "Baking").waitFor()
      })
    ))

  it("the agent's text is formatted while it works, and its card shows the duration", () =>
    withPage(browser, {}, async (page) => {
      const card = await board.create({ title: "slow please" })
      await page.goto(`${console.url}/board/${card.id}`)
      await page.getByRole("button", { name: "Run with an agent" }).click()
      await page.locator(".run-text .markdown").waitFor()
      await page.locator(`[data-task="${card.id}"] .run-clock`, { hasText: /^0:0[1-9]$/ }).waitFor()
      await page.getByRole("button", { name: "Stop agent" }).click()
      // The card shows it, and so does its accessible name.
      await page.getByText("The agent was stopped.").first().waitFor()
    }))

  /** A board of that many cards, half of them to do and half done. */
  const fill = (page: Page, all: number) =>
    page.route("**/api/kanban/tasks?*", async (route) => {
      const offset = Number(new URL(route.request().url()).searchParams.get("offset"))
      const items = Array.from({ length: 200 }, (_, index) => ({
        id: `card-${offset + index}`,
        title: `Card ${offset + index}`,
        status: offset < all / 2 ? "todo" : "done",
        priority: "normal",
        version: 1,
        labels: ["many"],
        columnOrder: offset + index,
        feedback: [],
        after: [],
        autoStart: false
      }))
      await route.fulfill({ json: { items, total: all, limit: 200, offset, hasMore: offset + 200 < all } })
    })

  it("a board of 800 cards draws those in sight, and the keyboard and the filter reach the others", () =>
    withPage(browser, {}, async (page) => {
      const focused = (title: string) =>
        page.waitForFunction((name) => document.activeElement?.textContent === name, title)
      await fill(page, 800)
      await page.goto(`${console.url}/board`)
      await page.getByRole("link", { name: "Card 0", exact: true }).focus()
      const drawn = page.locator(".card-row")
      assert.isAtMost(await drawn.count(), 100)
      assert.deepStrictEqual(
        [await drawn.first().getAttribute("aria-posinset"), await drawn.first().getAttribute("aria-setsize")],
        ["1", "400"]
      )
      await page.keyboard.press("End")
      await focused("Card 399")
      await page.keyboard.press("ArrowUp")
      await focused("Card 398")
      await page.keyboard.press("Home")
      await focused("Card 0")
      // However far it's scrolled away, the focused card keeps the focus.
      await page.locator('[data-column="todo"] [data-column-list]').evaluate((list) => {
        list.scrollTop = list.scrollHeight
      })
      await page.getByRole("link", { name: "Card 399", exact: true }).waitFor()
      await focused("Card 0")
      assert.isAtMost(await drawn.count(), 100)
      await page.getByRole("searchbox", { name: "Search cards" }).fill("Card 777")
      await page.getByRole("link", { name: "Card 777", exact: true }).waitFor()
    }))

  it("an open card far down a column is brought into sight", () =>
    withPage(browser, {}, async (page) => {
      const made = await Promise.all(
        Array.from({ length: 40 }, (_, index) => board.create({ title: `Far ${index}`, status: "done" }))
      )
      const last = (await board.call("GET", "tasks?status=done&limit=200")).items.at(-1)
      await page.goto(`${console.url}/board/${last.id}`)
      const open = page.locator(`[data-task="${last.id}"] [aria-current="true"]`)
      await page.waitForFunction((id) => {
        const { top = 0, bottom = 0 } = document.querySelector(`[data-task="${id}"]`)?.getBoundingClientRect() ?? {}
        return bottom > 0 && top > 0 && bottom <= innerHeight
      }, String(last.id))
      await open.waitFor()
      for (const { id } of made) await board.call("DELETE", `tasks/${id}`)
    }))

  it("10,000 cards scroll", () =>
    withPage(browser, {}, async (page) => {
      const all = 10_000
      await fill(page, all)
      await page.goto(`${console.url}/board?layout=list&sort=-title`)
      await page.locator(`[aria-rowcount="${all + 3}"]`).waitFor()
      const frames = await page.locator(".task-list").evaluate(
        (list) =>
          new Promise<ReadonlyArray<number>>((resolve) => {
            const times: Array<number> = []
            let last = performance.now()
            const step = () => {
              const now = performance.now()
              times.push(now - last)
              last = now
              list.scrollTop += 500
              if (times.length < 120) requestAnimationFrame(step)
              else resolve(times.toSorted((a, b) => a - b))
            }
            requestAnimationFrame(step)
          })
      )
      await page.locator(".list-row").first().waitFor()
      assert.isAtMost(await page.locator(".list-row").count(), 60)
      const [middle, slow] = [frames[60], frames[114]].map((ms) => Math.round(ms ?? 0))
      globalThis.console.log(`10,000 cards as a list: a frame of scrolling takes ${middle} ms, 95 % at most ${slow} ms`)
      await page.locator('.card-title[tabindex="0"]').focus()
      await page.keyboard.press("End")
      await page.waitForFunction(() => document.activeElement?.textContent === "Card 5000")
    }))

  for (const size of BOTH_SIZES) {
    it(`axe finds nothing in both themes on a ${size}`, () =>
      withPage(browser, { size }, async (page) => {
        await page.goto(`${console.url}/board?layout=list`)
        await page.locator(".list-row").first().waitFor()
        assert.deepStrictEqual(await problemsInBothThemes(page, "board-list", size), [])
        await page.goto(`${console.url}/board/${shared}?layout=list`)
        await page.locator(".comment").waitFor()
        assert.deepStrictEqual(await problemsInBothThemes(page, "board-comments", size), [])
      }))
  }
})

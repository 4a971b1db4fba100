import { assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { accessProblems } from "./support/accessProblems.ts"
import { boardCalls } from "./support/boardCalls.ts"
import { keepPicture, LOOKS, withPage } from "./support/browser.ts"
import { connected } from "./support/conversation.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

const HOSTILE = `<img src=x onerror="alert(1)"> 'quotes' and_one_very_long_word_without_any_place_to_break_it_in_two`

describe("the board for everybody", () => {
  const console = useConsole()
  const browser = useBrowser()
  const board = boardCalls(console)
  let reviewed = ""

  beforeAll(async () => {
    const day = 86_400_000
    const now = Date.now()
    await board.create({ title: "Collect ideas for the newsletter", status: "backlog", labels: ["writing"] })
    await board.create({
      title: HOSTILE,
      labels: ["<b>bold</b>", 'x" onmouseover=alert(1)'],
      description: "[x](javascript:alert(1))"
    })
    await board.create({ title: "Repair the import", priority: "critical", labels: ["bug"], dueAt: now - 2 * day })
    const notes = await board.create({
      title: "Write the release notes",
      priority: "high",
      assignee: "agent:main",
      dueAt: now + day,
      estimateMin: 45,
      description: "Short and friendly."
    })
    const table = await board.create({ title: "Draw a table of our prices", assignee: "agent:main" })
    reviewed = table.id
    const hanging = await board.create({ title: "Just hang there", labels: ["demo"] })
    await board.call("POST", `tasks/${hanging.id}/execute`)
    await board.call("POST", `tasks/${table.id}/execute`)
    await board.call("POST", "proposals", {
      type: "update",
      payload: { id: notes.id, description: "Short, friendly, with an example.", priority: "normal" },
      proposedBy: "agent:main"
    })
    await board.call("POST", "proposals", { type: "create", payload: { title: HOSTILE }, proposedBy: "agent:main" })
    while ((await board.find(reviewed))?.status !== "review") await new Promise((resolve) => setTimeout(resolve, 100))
  })

  const look = async (page: Page, name: string) => {
    assert.deepStrictEqual(await accessProblems(page), [], name)
    await keepPicture(page, name)
  }
  const noSideways = (page: Page) =>
    page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

  for (const { size, theme } of LOOKS) {
    it(`axe finds nothing in the ${theme} theme on a ${size}`, () =>
      withPage(browser, { size, theme }, async (page) => {
        const go = async (path: string, ready: string) => {
          await page.goto(console.url + path)
          await connected(page)
          await page.locator(ready).first().waitFor()
        }
        const end = `${theme}-${size}`
        await go("/board", ".card-state")
        await look(page, `board-${end}`)
        assert.isTrue(await noSideways(page))
        await page.locator("[data-card-menu]").first().click()
        await page.getByRole("menu").waitFor()
        await look(page, `board-menu-${end}`)
        await go(`/board/${reviewed}`, ".task-result table")
        await look(page, `board-card-${end}`)
        assert.isTrue(await noSideways(page))
        await go("/inbox?kind=proposal", "[data-inbox-item]")
        if (size === "phone") await page.locator("[data-open]", { hasText: "release notes" }).click()
        await page.locator(".approval", { hasText: "release notes" }).getByText("with an example").waitFor()
        await look(page, `board-proposals-${end}`)
        await go("/board?panel=new", "dialog[open] #task-labels")
        await look(page, `board-new-${end}`)
        await go("/board?panel=settings", "dialog[open] .settings-columns")
        await look(page, `board-settings-${end}`)
      }))
  }
})

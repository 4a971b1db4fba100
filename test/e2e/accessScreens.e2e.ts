import { assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { accessProblems } from "./support/accessProblems.ts"
import { boardCalls } from "./support/boardCalls.ts"
import { type Size, withPage } from "./support/browser.ts"
import { connected, finishedAnswer, openNewSession, say } from "./support/conversation.ts"
import { RAW_WORDS } from "./support/rawWords.ts"
import { SCREENS } from "./support/screens.ts"
import { useBrowser, useConsole, useQuickConsole } from "./support/useConsole.ts"

const PAGES = [...SCREENS, "/chat/agent:main:nobody", "/inbox?kind=proposal", "/board?panel=settings", "/nowhere"]

const SIZES: ReadonlyArray<Size> = ["desktop", "phone"]

const settled = async (page: Page) => {
  await page.locator("main h1, main h2").first().waitFor()
  await page.waitForFunction(() => document.querySelector(".skeleton, main .state.is-loading") === null)
}

// A console each: opening so many pages within a minute would meet the limit on requests.
for (const size of SIZES)
  describe(`access to every screen on a ${size}`, () => {
    const console = useConsole()
    const browser = useBrowser()
    const board = boardCalls(console)
    let card = ""

    beforeAll(async () => {
      for (const title of ["Write the release notes", "Answer the letters"]) {
        const made = await board.create({ title, description: "#### Long\n\nAnd short.", labels: ["text"] })
        card = made.id
        await board.call("POST", "proposals", {
          type: "update",
          payload: { id: card, description: "Short and friendly." },
          proposedBy: "agent:main"
        })
      }
    })

    it("axe finds nothing on any screen, and every table has its own name", () =>
      withPage(browser, { size, expectedErrors: [/status of 404/] }, async (page) => {
        const found: Array<string> = []
        for (const path of [...PAGES, `/board/${card}`]) {
          await page.goto(`${console.url}${path}`)
          await connected(page)
          await settled(page)
          for (const problem of await accessProblems(page)) found.push(`${path}: ${problem}`)
          const raw = RAW_WORDS.exec((await page.locator("body").textContent()) ?? "")
          if (raw !== null) found.push(`${path}: says ${raw[0]}`)
        }
        assert.deepStrictEqual(found, [])
      }))
  })

describe("access to a conversation", () => {
  const console = useQuickConsole()
  const browser = useBrowser()

  for (const size of SIZES)
    it(`axe finds nothing in a conversation with headings, tables and charts, on a ${size}`, () =>
      withPage(browser, { size }, async (page) => {
        await openNewSession(page, console.url)
        await say(page, "Show me a table and some code")
        await finishedAnswer(page, "A quotation")
        await say(page, "Show me a table once more")
        await finishedAnswer(page, "A quotation")
        await say(page, "draw a chart")
        await finishedAnswer(page, "Both are plain data")
        await page.locator("figure svg.plot").nth(1).waitFor()
        for (const data of await page.locator(".chart-data summary").all()) await data.click()
        assert.isAbove(await page.locator("table:visible").count(), 3)
        assert.isAbove(await page.locator(".markdown :is(h3, h4, h5)").count(), 1)
        assert.deepStrictEqual(await accessProblems(page), [])
      }))
})

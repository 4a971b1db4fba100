import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { keepPicture, type Size, withPage } from "./support/browser.ts"
import { connected, finishedAnswer, toScreen } from "./support/conversation.ts"
import { findable } from "./support/findable.ts"
import { shiftsOf, watchShiftsIn } from "./support/layoutShifts.ts"
import { RAW_WORDS } from "./support/rawWords.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

for (const size of ["desktop", "phone"] satisfies ReadonlyArray<Size>)
  describe(`the first minute of the demo, on a ${size}`, () => {
    const console = useConsole({ DEMO_SAMPLES: "true" })
    const browser = useBrowser()

    const go = async (page: Page, name: string) => {
      await toScreen(page, name)
      await page.locator("h1", { hasText: name === "Chat" ? /./ : name }).waitFor()
    }
    const look = async (page: Page, name: string) => {
      const text = await page.locator("body").textContent()
      assert.strictEqual(RAW_WORDS.exec(text ?? "")?.[0], undefined, name)
      await keepPicture(page, `first-minute-${name}-${size}`)
      assert.deepStrictEqual(await shiftsOf(page), [], name)
    }
    /**
     * Figures and checks that arrive one by one move the content below. Browsers leave that out within half a second of a
     * click; on a slow machine they come later.
     */
    const arrived = shiftsOf
    /** An item is decided in the list, and on a phone on its own screen. */
    const entry = (page: Page, text: string) => page.locator("[data-entry]", { hasText: text })
    const open = async (page: Page, text: string) => {
      await entry(page, text).waitFor()
      if (size === "phone") await entry(page, text).getByRole("link").click()
      return entry(page, text)
    }

    it("greets, asks, works, proposes, and finds everything again", { timeout: 120_000 }, () =>
      withPage(browser, { size, prepare: (page) => watchShiftsIn(page, ".screen-body:not(.inbox)") }, async (page) => {
        await page.goto(console.url)
        await connected(page)
        await page.getByRole("heading", { name: "Welcome to Agent Console" }).waitFor()
        await page.locator(".navigation .count").getByText("6").waitFor({ state: "attached" })
        await look(page, "welcome")

        await go(page, "Inbox")
        const question = await open(page, "Which colour shall the shed have?")
        await look(page, "question")
        await question.getByLabel("Red").check()
        await question.getByRole("button", { name: "Answer" }).click()
        await question.waitFor({ state: "detached" })
        if (size === "phone") await page.getByRole("link", { name: "All items" }).click()

        const approval = await open(page, "find reports")
        await look(page, "approval")
        await approval.getByRole("button", { name: "Allow once" }).click()
        await approval.waitFor({ state: "detached" })
        if (size === "phone") await page.getByRole("link", { name: "All items" }).click()

        const proposal = await open(page, "New card: Paint the garden shed")
        await proposal.getByText("Colour: Red.").waitFor()
        await look(page, "proposal")
        await proposal.getByRole("button", { name: "Approve" }).click()
        await proposal.waitFor({ state: "detached" })
        await page.locator(".notice").last().getByRole("button", { name: "Dismiss" }).click()

        await go(page, "Board")
        await page.locator("[data-task]", { hasText: "Paint the garden shed" }).waitFor({ state: "attached" })
        await page.locator("[data-task]", { hasText: "Find a name for the new tool" }).waitFor({ state: "attached" })
        await look(page, "board")

        await go(page, "Inbox")
        const review = await open(page, "Find a name for the new tool")
        await review.getByText("short, warm, easy to say").waitFor()
        await look(page, "review")
        await review.getByRole("button", { name: "Approve" }).click()
        await review.waitFor({ state: "detached" })
        await page.locator(".notice").last().getByRole("button", { name: "Dismiss" }).click()

        await go(page, "Chat")
        if (size === "phone") await page.locator("[data-open-sessions]").click()
        await page.locator("a[data-session]", { hasText: "Old reports" }).click()
        await finishedAnswer(page, "41 old reports are gone")
        await look(page, "conversation")

        await findable(console, "pretended reports")
        await go(page, "Search")
        await page.locator("[data-search]").fill("pretended reports")
        await page.locator(".search-results, main").getByText("41 old reports").first().waitFor()
        await look(page, "search")

        await go(page, "Operations")
        await page.locator("a.job-name", { hasText: "Morning report" }).waitFor()
        await look(page, "jobs")
        await page.getByRole("link", { name: "Usage" }).click()
        await page.locator('[data-figure="day-cost"] .plot-bar').first().waitFor()
        await page.locator('[data-figure="card"] .rank-name', { hasText: "Find a name for the new tool" }).waitFor()
        await arrived(page)
        await look(page, "usage")

        await go(page, "Knowledge")
        await page.getByText("Likes short answers").waitFor()
        await look(page, "knowledge")
        await go(page, "Settings")
        await page.getByRole("link", { name: "Checks" }).click()
        await page.locator("[data-check]").first().waitFor()
        await page.waitForFunction(() => document.querySelector('[data-check][data-state="unknown"]') === null)
        assert.deepStrictEqual(await page.locator('[data-check]:not([data-state="ok"])').allTextContents(), [])
        await arrived(page)
        await look(page, "checks")
      })
    )
  })

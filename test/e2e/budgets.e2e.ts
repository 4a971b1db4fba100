import { assert, describe, it } from "@effect/vitest"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, LOOKS, withPage } from "./support/browser.ts"
import { connected } from "./support/conversation.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

describe("budgets and the stop of everything", () => {
  const console = useConsole()
  const browser = useBrowser()

  for (const { size, theme } of LOOKS)
    it(`are clear and open to everybody in the ${theme} theme on a ${size}`, () =>
      withPage(browser, { size, theme }, async (page) => {
        const look = async (name: string) => {
          assert.deepStrictEqual(await accessProblems(page), [], name)
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
          assert.isAtMost(wide, 0, `${name} is wider than the window`)
          await keepPicture(page, `budgets-${name}-${theme}-${size}`)
        }
        await page.goto(`${console.url}/operations/usage`)
        await connected(page)
        await page.getByRole("button", { name: "New budget" }).click()
        const dialog = page.getByRole("dialog")
        await dialog.getByLabel("Dollars").fill("500")
        await look("new")
        await dialog.getByRole("button", { name: "Set budget" }).click()
        const row = page.locator("[data-budget]", { hasText: "of $500.00" })
        await row.scrollIntoViewIfNeeded()
        await look("list")

        // The palette leads to the question.
        await page.keyboard.press("Control+k")
        await page.getByRole("combobox").fill("Stop everything")
        await page.getByRole("option", { name: "Stop everything…" }).click()
        await dialog.getByLabel("Reason (optional)").fill("Over the weekend")
        await dialog.getByText(/Nothing is running|stops at once/).waitFor()
        await look("stop")
        await dialog.getByRole("button", { name: "Stop everything" }).click()
        const bar = page.getByRole("region", { name: "Everything is stopped" })
        await bar.getByText("Over the weekend").waitFor()
        await page.goto(`${console.url}/inbox`)
        await bar.waitFor()
        await look("stopped")
        await bar.getByRole("button", { name: "Resume" }).click()
        await bar.waitFor({ state: "detached" })

        await page.goto(`${console.url}/operations/usage`)
        await row.getByRole("button", { name: "Remove the budget" }).click()
        await dialog.getByRole("button", { name: "Remove" }).click()
        await row.waitFor({ state: "detached" })
      }))

  it("pauses at once what is over its limit, says so where it holds, and goes on once it's raised", () =>
    withPage(browser, { size: "phone", theme: "light" }, async (page) => {
      await page.goto(console.url)
      await connected(page)
      const made = await page.evaluate(async () => {
        const body = JSON.stringify({ scope: { kind: "all" }, period: "month", limit: { usd: 0.01 } })
        const headers = { "content-type": "application/json" }
        return (await fetch("/api/budgets", { method: "POST", headers, body })).status
      })
      assert.strictEqual(made, 201)
      await page.getByRole("region", { name: "Paused by a budget" }).waitFor()
      await keepPicture(page, "budgets-held-light-phone")
      await page.goto(`${console.url}/inbox?kind=budget`)
      await page.getByText("Budget of everything").first().waitFor()
      await keepPicture(page, "budgets-inbox-light-phone")
      await page.goto(`${console.url}/operations/usage`)
      const row = page.locator("[data-budget]", { hasText: "Each month" })
      await row.getByRole("button", { name: "Raise…" }).click()
      await row.getByRole("textbox").fill("9000")
      await row.getByRole("button", { name: "Raise", exact: true }).click()
      await row.getByText("of $9,000.00").first().waitFor()
      await row.getByRole("button", { name: "Remove the budget" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
      await row.waitFor({ state: "detached" })
    }))
})

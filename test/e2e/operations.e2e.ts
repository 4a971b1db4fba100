import { assert, describe, it } from "@effect/vitest"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, LOOKS, withPage } from "./support/browser.ts"
import { connected } from "./support/conversation.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

describe("the operations", () => {
  const console = useConsole()
  const browser = useBrowser()

  for (const { size, theme } of LOOKS)
    it(`are clear and open to everybody in the ${theme} theme on a ${size}`, () =>
      withPage(browser, { size, theme }, async (page) => {
        const look = async (name: string) => {
          assert.deepStrictEqual(await accessProblems(page), [], name)
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
          assert.isAtMost(wide, 0, `${name} is wider than the window`)
          await keepPicture(page, `operations-${name}-${theme}-${size}`)
        }
        await page.goto(`${console.url}/operations`)
        await connected(page)
        await page.locator("a.job-name", { hasText: "Morning report" }).waitFor()
        await look("crons")
        await page.locator("a.job-name", { hasText: "Morning report" }).click()
        await page.getByText("The model didn't answer in time.").waitFor()
        await look("job")
        await page.getByRole("button", { name: "New job" }).click()
        await page.getByRole("dialog").waitFor()
        await look("new-job")
        await page.keyboard.press("Escape")
        await page.getByRole("dialog").waitFor({ state: "detached" })

        await page.getByRole("link", { name: "Skills" }).click()
        await page.locator('[data-skill="repository"]').waitFor()
        await look("skills")
        await page.getByRole("link", { name: "Usage" }).click()
        await page.locator('[data-figure="day-cost"] .plot-bar').first().waitFor()
        await page.locator('[data-limits="unknown"]').nth(1).waitFor()
        await look("usage")
        await page.getByRole("link", { name: "Gateway" }).click()
        await page.locator('[data-gateway="ok"]').waitFor()
        await page.getByText("Demo Scholar").waitFor()
        await look("gateway")
      }))
})

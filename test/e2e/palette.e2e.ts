import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { BOTH_SIZES, problemsInBothThemes } from "./support/bothThemes.ts"
import { withPage } from "./support/browser.ts"
import { connected } from "./support/conversation.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

const palette = (page: Page) => page.getByRole("dialog", { name: "Command palette" })
const choose = async (page: Page, words: string) => {
  await page.keyboard.press("Control+k")
  await palette(page).waitFor()
  await page.keyboard.type(words)
  await page.getByRole("option").first().waitFor()
}

describe("the command palette and the shortcuts", () => {
  const console = useConsole()
  const browser = useBrowser()

  const open = async (page: Page) => {
    await page.goto(console.url)
    await connected(page)
    await page.locator("#composer").waitFor()
  }

  for (const size of BOTH_SIZES) {
    it(`axe finds nothing in both themes on a ${size}`, () =>
      withPage(browser, { size }, async (page) => {
        await open(page)
        await page.keyboard.press("Control+k")
        await palette(page).waitFor()
        assert.deepStrictEqual(await problemsInBothThemes(page, "palette", size), [])
        await page.keyboard.press("Escape")
        await palette(page).waitFor({ state: "detached" })
        await page.locator("h1").first().click()
        await page.keyboard.press("?")
        await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor()
        assert.deepStrictEqual(await problemsInBothThemes(page, "shortcuts", size), [])
      }))
  }

  it("finds a setting by words, by keyboard alone, and gives the focus back", () =>
    withPage(browser, {}, async (page) => {
      await open(page)
      await page.locator("#composer").focus()
      await choose(page, "dark colours")
      await page.keyboard.press("Enter")
      await page.locator('html[data-theme="dark"]').waitFor({ state: "attached" })
      await page.waitForFunction(() => document.activeElement?.id === "composer")
      await choose(page, "high contrast")
      await page.keyboard.press("Enter")
      await page.locator('html[data-theme="contrast"]').waitFor({ state: "attached" })
    }))

  it("takes what is typed while its code still loads, and Enter too", () =>
    withPage(browser, {}, async (page) => {
      await open(page)
      await page.locator("#composer").focus()
      const typed = Promise.withResolvers<void>()
      const asked = Promise.withResolvers<void>()
      await page.route("**/assets/Overlay-*.js", async (route) => {
        asked.resolve()
        await typed.promise
        await route.continue()
      })
      await page.keyboard.press("Control+k")
      await asked.promise
      await page.keyboard.type("dark colours")
      await page.keyboard.press("Enter")
      typed.resolve()
      await page.locator('html[data-theme="dark"]').waitFor({ state: "attached" })
      assert.strictEqual(await page.locator("#composer").inputValue(), "")
    }))

  it("runs what it found on the screen", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${console.url}/operations/usage`)
      await page.locator('[data-figure="day-cost"]').waitFor()
      await choose(page, "measure tokens")
      await page.keyboard.press("Enter")
      await page.locator('[data-figure="day-tokens"]').waitFor()
    }))

  it("no letter typed into a field is taken for a shortcut", () =>
    withPage(browser, {}, async (page) => {
      await open(page)
      await page.locator("#composer").focus()
      await page.keyboard.type("gc? gs")
      assert.strictEqual(await page.locator("#composer").inputValue(), "gc? gs")
      assert.strictEqual(await page.getByRole("dialog").count(), 0)
    }))
})

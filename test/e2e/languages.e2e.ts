import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { withPage } from "./support/browser.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

/** The page's language and direction, as the browser and screen readers take them. */
const languageOf = (page: Page) =>
  page.evaluate(() => {
    const { dir, lang } = document.documentElement
    return `${lang} ${dir}`
  })

describe("languages", () => {
  const console = useConsole()
  const browser = useBrowser()

  const openSettings = async (page: Page, section = "appearance") => {
    await page.goto(`${console.url}/settings/${section}`)
    await page.locator(".settings-page").waitFor()
  }

  it("the page is in the browser's language, or in the chosen one from then on", () =>
    withPage(browser, { locale: "de-AT" }, async (page) => {
      await openSettings(page)
      assert.strictEqual(await languageOf(page), "de ltr")
      await page.getByRole("combobox", { name: "Sprache" }).selectOption({ label: "العربية" })
      await page.getByRole("combobox", { name: "اللغة" }).waitFor()
      assert.strictEqual(await languageOf(page), "ar rtl")
      await page.reload()
      await page.getByRole("combobox", { name: "اللغة" }).selectOption({ label: "English" })
      await page.getByRole("combobox", { name: "Language" }).waitFor()
      assert.strictEqual(await languageOf(page), "en ltr")
    }))

  it("the checks of the console's machine are in the page's language, also when they're the first screen", () =>
    withPage(browser, { locale: "de-AT" }, async (page) => {
      await openSettings(page, "checks")
      await page.getByText("Beschreibbar, nur für diesen Benutzer.").waitFor()
    }))

  it("a page whose catalogue can't be loaded is in English", () =>
    withPage(browser, { locale: "fr-FR", expectedErrors: [/languages\/fr\.js/] }, async (page) => {
      await page.route("**/languages/fr.js", (route) => route.abort())
      await openSettings(page)
      await page.getByRole("combobox", { name: "Language" }).waitFor()
    }))
})

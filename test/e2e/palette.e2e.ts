import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { BOTH_SIZES, problemsInBothThemes } from "./support/bothThemes.ts"
import { withPage } from "./support/browser.ts"
import { connected, openNewSession } from "./support/conversation.ts"
import { SCREENS } from "./support/screens.ts"
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

  it("reaches every session, makes new ones, and says when nothing fits", () =>
    withPage(browser, {}, async (page) => {
      const key = await openNewSession(page, console.url).then(() => new URL(page.url()).pathname)
      await choose(page, "main session")
      await page.keyboard.press("Enter")
      await page.waitForURL((url) => url.pathname !== key)
      const main = new URL(page.url()).pathname
      await choose(page, "start new session")
      await page.keyboard.press("Enter")
      await page.waitForURL((url) => url.pathname !== main)
      await page.keyboard.press("Control+k")
      await palette(page).waitFor()
      await page.keyboard.type("qqqqzzzz")
      await page.getByText("No results").waitFor()
    }))

  it("shows the latest sessions first, and everything below its heading", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      await page.keyboard.press("Control+k")
      await palette(page).waitFor()
      const groups = page.getByRole("listbox").getByRole("group")
      const names = await groups.evaluateAll((all) => all.map((group) => group.getAttribute("aria-label")))
      assert.strictEqual(names[0], "Recent sessions")
      assert.lengthOf(new Set(names), names.length)
      for (const name of ["Chat", "Go to", "General"]) assert.include(names, name)
      const open = page.url()
      assert.isAtMost(await groups.first().getByRole("option").count(), 5)
      await page.keyboard.press("Enter")
      await palette(page).waitFor({ state: "detached" })
      await page.waitForURL((url) => url.href !== open && url.pathname.startsWith("/chat/"))
    }))

  it("shows the board's own commands right below the latest sessions, and doesn't lead to where one is", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${console.url}/board`)
      await page.getByRole("heading", { level: 1, name: "Board" }).click()
      await page.keyboard.press("Control+k")
      await palette(page).waitFor()
      const groups = page.getByRole("listbox").getByRole("group")
      const names = await groups.evaluateAll((all) => all.map((group) => group.getAttribute("aria-label")))
      assert.deepStrictEqual(names.slice(0, 3), ["Recent sessions", "Board", "Go to"])
      assert.isAtMost(await groups.first().getByRole("option").count(), 3)
      await groups
        .nth(1)
        .getByRole("option", { name: /^New card/ })
        .waitFor()
      await groups
        .nth(2)
        .getByRole("option", { name: /^Inbox/ })
        .waitFor()
      assert.strictEqual(
        await groups
          .nth(2)
          .getByRole("option", { name: /^Board/ })
          .count(),
        0
      )
    }))

  it("starts a new session by two keys", () =>
    withPage(browser, {}, async (page) => {
      await open(page)
      const before = page.url()
      await page.locator("h1").first().click()
      await page.keyboard.press("g")
      await page.keyboard.press("n")
      await page.waitForURL((url) => url.href !== before && url.pathname.startsWith("/chat/"))
    }))

  it("walks the results with the arrows, round the ends, and follows the pointer", () =>
    withPage(browser, {}, async (page) => {
      await open(page)
      await page.keyboard.press("Control+k")
      await palette(page).waitFor()
      const chosen = page.locator('[role=option][aria-selected="true"]')
      const first = await chosen.textContent()
      await page.keyboard.press("ArrowUp")
      await page.waitForFunction(
        (text) => document.querySelector('[aria-selected="true"]')?.textContent !== text,
        first
      )
      await page.keyboard.press("ArrowDown")
      await page.waitForFunction(
        (text) => document.querySelector('[aria-selected="true"]')?.textContent === text,
        first
      )
      const id = await chosen.getAttribute("id")
      assert.strictEqual(await page.getByRole("combobox").getAttribute("aria-activedescendant"), id)
      await page.getByRole("option").nth(2).hover()
      await page.waitForFunction((old) => document.querySelector('[aria-selected="true"]')?.id !== old, id)
      await page.keyboard.press("Control+k")
      await palette(page).waitFor({ state: "detached" })
    }))

  it("reaches the pages within a screen", () =>
    withPage(browser, {}, async (page) => {
      await open(page)
      await choose(page, "notifications")
      await page.getByRole("option", { name: /^Notifications ?Go to/ }).click()
      await page.waitForURL((url) => url.pathname === "/settings/notifications")
      await page.getByRole("switch", { name: "Notify me" }).waitFor()
      await choose(page, "voice settings")
      await page.getByRole("option", { name: /^Voice settings ?Go to/ }).click()
      await page.getByRole("heading", { name: "Recognition" }).waitFor()
    }))

  it("has a line for every page that a screen has a tab for", { timeout: 120_000 }, () =>
    withPage(browser, {}, async (page) => {
      for (const screen of ["knowledge", "operations", "settings"]) {
        await page.goto(`${console.url}/${screen}`)
        await connected(page)
        const tabs = page.locator(`main nav a[href^="/${screen}/"]`)
        await tabs.first().waitFor()
        const places = await tabs.evaluateAll((links) =>
          links.map((link) => ({ label: link.textContent?.trim() ?? "", path: link.getAttribute("href") ?? "" }))
        )
        assert.isAtLeast(places.length, 4, screen)
        for (const { label, path } of places) {
          // Away first, so that the address shows that the line leads there.
          await open(page)
          await choose(page, label)
          await page
            .getByRole("option", { name: new RegExp(`^${label}( settings| this console| and their tokens)? ?Go to$`) })
            .click()
          await page.waitForURL((url) => url.pathname === path)
        }
      }
    })
  )

  it("has everything that can be pressed on any screen", { timeout: 180_000 }, () =>
    withPage(browser, {}, async (page) => {
      const options = () =>
        page
          .getByRole("option")
          .evaluateAll((all) => all.map((one) => (one.textContent ?? "").replace(/\s+/g, " ").trim()))
      const missing: Array<string> = []
      for (const path of SCREENS) {
        await page.goto(`${console.url}${path}`)
        await connected(page)
        await page.waitForFunction(() => document.querySelector(".skeleton, main .state.is-loading") === null)
        const tree = await page.locator("#main").ariaSnapshot()
        const buttons = [...tree.matchAll(/- button "((?:[^"\\]|\\.)*)"(?! \[(?:disabled|pressed))/g)]
        const names = new Set(buttons.map(([, name = ""]) => name.replaceAll('\\"', '"').trim()))
        await page.keyboard.press("Control+k")
        await palette(page).waitFor()
        const all = await options()
        await page.keyboard.type("on this screen")
        await page.getByRole("option", { name: "Search everything for “on this screen”" }).waitFor()
        const found = [...all, ...(await options())]
        missing.push(
          ...[...names].filter((name) => !found.some((one) => one.includes(name))).map((name) => `${path}: ${name}`)
        )
        await page.keyboard.press("Escape")
      }
      assert.deepStrictEqual(missing, [])
    })
  )

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

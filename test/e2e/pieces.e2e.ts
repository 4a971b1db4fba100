import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, type Size, withPage } from "./support/browser.ts"
import { drawnFrames } from "./support/drawnFrames.ts"
import { DENSITIES, looksOf, THEMES, wear } from "./support/pieceLooks.ts"
import { type BuiltPage, buildPage, openPage } from "./support/servePage.ts"
import { useBrowser } from "./support/useConsole.ts"

const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim() ?? "")
const focusedId = (page: Page) => page.evaluate(() => document.activeElement?.id ?? "")
const interactive = (page: Page) => page.locator('[data-piece="Interactive"]')
const log = (page: Page) => page.locator("#log").textContent()
/** A dialog or menu closes at once; what was chosen in it runs right after that. */
const logged = (page: Page, text: string) => page.locator("#log", { hasText: text }).waitFor()

describe("the pieces", () => {
  const browser = useBrowser()
  let files: BuiltPage

  beforeAll(async () => {
    files = await buildPage("piecesPage.tsx")
  })

  for (const size of ["desktop", "phone"] as const satisfies ReadonlyArray<Size>) {
    for (const theme of THEMES) {
      it(`axe finds nothing in the ${theme} theme on a ${size}`, () =>
        withPage(browser, { size }, async (page) => {
          await openPage(page, files)
          await wear(page, { theme })
          await page.locator(".diff").waitFor()
          assert.deepStrictEqual(await accessProblems(page), [])
          await keepPicture(page, `pieces-${theme}-${size}`)
          await page.locator(".diff").scrollIntoViewIfNeeded()
          await keepPicture(page, `pieces-diff-${theme}-${size}`)
          await page.getByRole("button", { name: "More actions" }).click()
          await page.getByRole("menu").waitFor()
          assert.deepStrictEqual(await accessProblems(page), [])
          await keepPicture(page, `pieces-menu-${theme}-${size}`)
          await page.keyboard.press("Escape")
          await page.locator("#open-question").click()
          await page.getByRole("dialog").waitFor()
          assert.deepStrictEqual(await accessProblems(page), [])
          await keepPicture(page, `pieces-question-${theme}-${size}`)
        }))
    }
  }

  it("begin at the top, though there is a bar of tabs far down", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      await openPage(page, files)
      const bar = page.locator(".pieces .tabs").last()
      await bar.waitFor()
      assert.isAbove((await bar.boundingBox())?.y ?? 0, 844)
      await drawnFrames(page, 6)
      assert.strictEqual(await page.locator(".pieces").evaluate((element) => element.scrollTop), 0)
    }))

  for (const size of ["desktop", "phone"] as const satisfies ReadonlyArray<Size>)
    it(`looks as it did when its looks were last agreed on (${size})`, () =>
      withPage(browser, { size }, async (page) => {
        await openPage(page, files)
        await page.locator(size === "desktop" ? ".diff.is-wide" : ".diff").waitFor()
        const file = fileURLToPath(new URL(`./pieces/${size}.json`, import.meta.url))
        const looks: Record<string, unknown> = {}
        for (const density of DENSITIES) {
          await wear(page, { density, theme: "light" })
          looks[`sizes, ${density}`] = await looksOf(page, "sizes")
        }
        await wear(page, { density: "comfortable" })
        // Colours don't depend on the size of the screen.
        for (const theme of size === "desktop" ? THEMES : []) {
          await wear(page, { theme })
          looks[`colours, ${theme}`] = await looksOf(page, "colours")
        }
        if (process.env.PIECES === "renew") writeFileSync(file, `${JSON.stringify(looks, null, 2)}\n`)
        assert.isTrue(existsSync(file), "PIECES=renew makes the first one")
        assert.deepStrictEqual(looks, JSON.parse(readFileSync(file, "utf8")))
      }))

  it("a dialog takes the focus to its first field and gives it back, by Escape, its cross and beside it", () =>
    withPage(browser, {}, async (page) => {
      await openPage(page, files)
      const close: ReadonlyArray<() => Promise<void>> = [
        () => page.keyboard.press("Escape"),
        () => page.getByRole("button", { name: "Close" }).click(),
        () => page.mouse.click(5, 5)
      ]
      for (const leave of close) {
        await page.locator("#open-dialog").focus()
        await page.keyboard.press("Enter")
        await page.getByRole("dialog", { name: "A dialog" }).waitFor()
        await page.waitForFunction(() => document.activeElement?.id === "title")
        await leave()
        await page.getByRole("dialog").waitFor({ state: "detached" })
        assert.strictEqual(await focusedId(page), "open-dialog")
      }
    }))

  it("text dragged out of a dialog does not close it", () =>
    withPage(browser, {}, async (page) => {
      await openPage(page, files)
      await page.locator("#open-dialog").click()
      await page.locator("#title").fill("something typed")
      await page.locator("#title").hover()
      await page.mouse.down()
      await page.mouse.move(5, 5)
      await page.mouse.up()
      assert.strictEqual(await page.locator("#title").inputValue(), "something typed")
    }))

  it("a question begins at its way out: Enter does not confirm", () =>
    withPage(browser, {}, async (page) => {
      await openPage(page, files)
      await page.locator("#open-question").click()
      await page.getByRole("dialog").waitFor()
      await page.waitForFunction(() => document.activeElement?.textContent === "Cancel")
      await page.keyboard.press("Enter")
      await page.getByRole("dialog").waitFor({ state: "detached" })
      assert.strictEqual(await log(page), "")
      await page.locator("#open-question").click()
      await page.waitForFunction(() => document.activeElement?.textContent === "Cancel")
      await page.keyboard.press("Tab")
      assert.strictEqual(await focusedText(page), "Delete the task")
      await page.keyboard.press("Enter")
      await page.getByRole("dialog").waitFor({ state: "detached" })
      await logged(page, "confirmed")
    }))

  it("a menu is walked by keys, and gives the focus back", () =>
    withPage(browser, {}, async (page) => {
      await openPage(page, files)
      const button = page.getByRole("button", { name: "More actions" })
      await button.focus()
      await page.keyboard.press("ArrowDown")
      await page.waitForFunction(() => document.activeElement?.textContent === "Rename")
      await page.keyboard.press("ArrowDown")
      assert.strictEqual(await focusedText(page), "Delete")
      await page.keyboard.press("r")
      assert.strictEqual(await focusedText(page), "Rename")
      await page.keyboard.press("Escape")
      await page.getByRole("menu").waitFor({ state: "hidden" })
      await page.locator('[aria-haspopup=menu][aria-expanded="false"]').waitFor()
      assert.isTrue(await button.evaluate((element) => element === document.activeElement))
      await page.keyboard.press("Enter")
      await page.waitForFunction(() => document.activeElement?.textContent === "Rename")
      await page.keyboard.press("End")
      await page.keyboard.press("Enter")
      await page.getByRole("menu").waitFor({ state: "hidden" })
      await logged(page, "delete")
    }))

  it("a comparison is side by side if there is room, and opens its folded parts", () =>
    withPage(browser, {}, async (page) => {
      await openPage(page, files)
      await page.locator(".diff.is-wide").waitFor()
      const row = page.locator("tr", { hasText: "Line three of the text" })
      assert.include(await row.textContent(), "Line 3 of the text")
      assert.strictEqual(await page.locator(".diff-sum").textContent(), "1 added, 2 removed")
      assert.strictEqual(await page.getByText("Line 20 of the text").count(), 0)
      await page
        .getByRole("button", { name: /^Show \d+ unchanged lines$/ })
        .first()
        .click()
      await page.getByText("Line 20 of the text").first().waitFor()
      await page.setViewportSize({ width: 400, height: 800 })
      await page.locator(".diff:not(.is-wide)").waitFor()
      assert.strictEqual(await page.locator("tr.is-removed").count(), 2)
    }))

  it("a switch switches by click and by key, and a field shows its error", () =>
    withPage(browser, {}, async (page) => {
      await openPage(page, files)
      await page.getByText("Sound").click()
      await page.getByText("This name is taken.").waitFor()
      await interactive(page).getByRole("switch").press("Space")
      await page.getByText("What it is called.").waitFor()
      await interactive(page).getByRole("button", { name: "Try again" }).click()
      await page.waitForFunction(() => document.getElementById("log")?.textContent === "retry")
    }))
})

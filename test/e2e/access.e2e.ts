import { assert, describe, it } from "@effect/vitest"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, LOOKS, withPage } from "./support/browser.ts"
import { connected, finishedAnswer, idle, openNewSession, say } from "./support/conversation.ts"
import { useBrowser, useQuickConsole } from "./support/useConsole.ts"

describe("access for everybody", () => {
  const console = useQuickConsole()
  const browser = useBrowser()

  for (const { size, theme } of LOOKS) {
    it(`axe finds nothing in the ${theme} theme on a ${size}`, () =>
      withPage(browser, { size, theme }, async (page) => {
        await openNewSession(page, console.url)
        assert.deepStrictEqual(await accessProblems(page), [])
        await say(page, "Show me a table and some code")
        const answer = await finishedAnswer(page, "A quotation")
        await answer.locator("pre .hljs-keyword").first().waitFor()
        await say(page, "use a tool")
        await finishedAnswer(page, "The tool answered")
        await page.locator('[data-tool="exec"] summary').click()
        await say(page, "draw a chart")
        const charts = await finishedAnswer(page, "Both are plain data")
        await charts.locator("figure svg.plot").nth(1).waitFor()
        await say(page, "fail")
        await page.locator(".run-error").waitFor()
        await idle(page)
        assert.deepStrictEqual(await accessProblems(page), [])
        await keepPicture(page, `conversation-${theme}-${size}`)
        if (size === "phone") {
          await page.locator("[data-open-sessions]").click()
          await page.locator(".shell.is-drawer-open").waitFor()
          assert.deepStrictEqual(await accessProblems(page), [])
          await keepPicture(page, `drawer-${theme}`)
          await page.locator("a.session[aria-current]").click()
          await page.locator(".shell:not(.is-drawer-open)").waitFor()
        }
      }))
  }

  it("the keyboard alone is enough", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(console.url)
      await connected(page)
      await page.locator("#composer").waitFor()
      await page.locator("a[data-session][aria-current]").waitFor()
      await page.keyboard.press("Control+/")
      await page.waitForFunction(() => document.activeElement?.closest(".sessions") !== null)
      // Between the filter and the button are Board, Jobs and Chats.
      for (const name of ["Board", "Jobs", "Chats", "New session"]) {
        await page.keyboard.press("Shift+Tab")
        await page.waitForFunction((text) => document.activeElement?.textContent?.includes(text) === true, name)
      }
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { level: 2, name: /^What should/ }).waitFor()
      await page.waitForFunction(() => document.activeElement?.id === "composer")
      await page.keyboard.type("typed only")
      await page.keyboard.press("Shift+Enter")
      await page.keyboard.type("on two lines")
      await page.keyboard.press("Enter")
      await finishedAnswer(page, "You said: “typed only on two lines”")
      const key = new URL(page.url()).pathname
      await page.keyboard.press("Control+/")
      await page.waitForFunction(() => document.activeElement?.closest(".sessions") !== null)
      await page.keyboard.press("ArrowDown")
      await page.waitForFunction(() => document.activeElement?.hasAttribute("data-session") === true)
      await page.keyboard.press("End")
      await page.keyboard.press("Enter")
      await page.waitForURL((url) => url.pathname !== key)
      await page.goBack()
      await page.waitForURL((url) => url.pathname === key)
      await page.locator(".message.is-assistant", { hasText: "You said: “typed only on two lines”" }).waitFor()
    }))

  it("the first stop of the Tab key skips to the conversation", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      await page.goto(console.url)
      await connected(page)
      await page.locator("#composer").waitFor()
      await page.keyboard.press("Tab")
      await page.waitForFunction(() => document.activeElement?.classList.contains("skip-link") === true)
      await page.keyboard.press("Enter")
      await page.waitForFunction(() => document.activeElement?.id === "main")
    }))

  it("the theme switch changes and keeps the colours", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(console.url)
      await connected(page)
      const paper = () =>
        page.evaluate(() => getComputedStyle(document.body.parentElement ?? document.body).backgroundColor)
      const light = await paper()
      await page.getByRole("button", { name: "More", exact: true }).click()
      await page.getByRole("menuitemradio", { name: "Dark" }).click()
      await page.locator('html[data-theme="dark"]').waitFor({ state: "attached" })
      assert.notStrictEqual(await paper(), light)
      await page.reload()
      await page.locator('html[data-theme="dark"]').waitFor({ state: "attached" })
      const dark = await paper()

      // The choice holds before the page's own script has come, so that nothing flashes.
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route(/\/assets\/.*\.js$/, async (route) => {
        await held
        await route.continue()
      })
      await page.reload({ waitUntil: "commit" })
      await page.locator(".skeleton").waitFor()
      assert.strictEqual(await paper(), dark)
      release()
      await connected(page)
    }))
})

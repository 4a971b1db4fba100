import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { accessProblems } from "./support/accessProblems.ts"
import { BOTH_SIZES, problemsInBothThemes } from "./support/bothThemes.ts"
import { keepPicture, withPage } from "./support/browser.ts"
import { connected, openNewSession, say } from "./support/conversation.ts"
import { heldAgent } from "./support/heldAgent.ts"
import { useBrowser, useConsole, useGateway } from "./support/useConsole.ts"

const THEMES = ["Light", "Dark", "Sepia", "Midnight", "High contrast"]
const PAGES = ["appearance", "chat", "notifications", "checks", "about"]

/** Replaces the browser's notifications by a list of what was shown. */
const listNotifications = async (page: Page) => {
  await page.addInitScript(() => {
    const shown: Array<{ tag: string; body: string; click: () => void }> = []
    class Listed {
      static permission = sessionStorage.getItem("permission") ?? "default"
      static requestPermission = async () => {
        Listed.permission = "granted"
        sessionStorage.setItem("permission", "granted")
        return "granted"
      }
      onclick: (() => void) | null = null
      constructor(_title: string, options: { tag: string; body: string }) {
        shown.push({ ...options, click: () => this.onclick?.() })
      }
      close() {}
    }
    Object.assign(window, { Notification: Listed, shownNotifications: shown })
  })
}

/** What the notifications of a session said. */
const newsOf = (page: Page, session: string): Promise<ReadonlyArray<string>> =>
  page.evaluate(`shownNotifications.filter(({ tag }) => tag === ${JSON.stringify(session)}).map(({ body }) => body)`)

const until = async (holds: () => Promise<boolean>) => {
  for (let left = 1_200; left > 0 && !(await holds()); left--) await new Promise((resolve) => setTimeout(resolve, 50))
  assert.isTrue(await holds())
}

describe("settings", () => {
  const console = useConsole()
  const browser = useBrowser()

  const open = async (page: Page, name: string) => {
    await page.goto(`${console.url}/settings/${name}`)
    await connected(page)
    await page.locator(".settings-page").waitFor()
  }

  for (const size of BOTH_SIZES) {
    it(`axe finds nothing on any page in both themes on a ${size}`, () =>
      withPage(browser, { size }, async (page) => {
        await open(page, "appearance")
        for (const name of PAGES) {
          const link = page.locator(`main a[href="/settings/${name}"]`)
          if (size === "phone") {
            await page.getByRole("link", { name: "All settings" }).click()
            await link.waitFor()
            assert.deepStrictEqual(await problemsInBothThemes(page, "settings", size), [], "the list of pages")
          }
          await link.click()
          if (size === "desktop") await page.locator(`.settings-link[href="/settings/${name}"][aria-current]`).waitFor()
          await page.locator(".settings-page").waitFor()
          if (name === "checks") await page.locator('[data-check="node"][data-state="ok"]').waitFor()
          if (name === "about") await page.getByText(/^Agent Console \d/).waitFor()
          assert.deepStrictEqual(await problemsInBothThemes(page, `settings-${name}`, size), [], name)
        }
      }))
  }

  it("a phone lists the pages, leads back from each, and a page's address holds at every width", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      await page.goto(`${console.url}/settings`)
      await connected(page)
      await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor()
      await page.getByRole("link", { name: /^Notifications/ }).click()
      await page.getByRole("heading", { level: 1, name: "Notifications" }).waitFor()
      await page.waitForFunction(() => document.activeElement?.tagName === "H1")
      await page.reload()
      await page.getByRole("heading", { level: 1, name: "Notifications" }).waitFor()
      await page.getByRole("link", { name: "All settings" }).click()
      await page.getByRole("link", { name: /^About/ }).waitFor()
      await page.setViewportSize({ width: 1200, height: 800 })
      await page.locator('.settings-link[href="/settings/appearance"][aria-current]').waitFor()
      await page.locator(".settings-page").waitFor()
    }))

  it("lists the licences of everything it is built from", () =>
    withPage(browser, {}, async (page) => {
      await open(page, "about")
      const link = page.getByRole("link", { name: "Third-party licences" })
      const [opened] = await Promise.all([page.waitForEvent("popup"), link.click()])
      await opened.getByText("highlight.js").first().waitFor()
      assert.match((await opened.locator("body").textContent()) ?? "", /^marked \d\S* \(MIT\)$/m)
    }))

  it("every theme holds at once, keeps its contrast, and loads no style anew", () =>
    withPage(browser, {}, async (page) => {
      await open(page, "appearance")
      const styles: Array<string> = []
      page.on("request", (request) => {
        if (request.resourceType() === "stylesheet") styles.push(request.url())
      })
      for (const name of THEMES) {
        const before = await page.evaluate(() => document.documentElement.dataset.theme)
        await page.getByRole("radio", { name, exact: true }).check()
        await page.waitForFunction((old) => document.documentElement.dataset.theme !== old, before)
        assert.deepStrictEqual(await accessProblems(page), [], name)
        await keepPicture(page, `theme-${name.toLowerCase().replace(" ", "-")}`)
      }
      assert.deepStrictEqual(styles, [])
    }))

  it("choices survive a reload and follow in another tab", () =>
    withPage(browser, {}, async (page) => {
      await open(page, "appearance")
      const other = await page.context().newPage()
      await other.goto(console.url)
      await connected(other)
      await page.getByRole("radio", { name: "Compact" }).check()
      await page.getByRole("radio", { name: "Largest" }).check()
      await page.getByRole("radio", { name: "Reduced" }).check()
      for (const tab of [page, other])
        await tab.locator('html[data-density="compact"][data-text-size="largest"][data-motion="reduced"]').waitFor({
          state: "attached"
        })
      await page.reload()
      await page.locator(".settings-page").waitFor()
      assert.isTrue(await page.getByRole("radio", { name: "Compact" }).isChecked())
      await other.close()
    }))

  it("Ctrl+Enter can send instead of Enter", () =>
    withPage(browser, {}, async (page) => {
      await open(page, "chat")
      await page.getByRole("radio", { name: "Ctrl+Enter" }).check()
      await openNewSession(page, console.url)
      await page.locator("#composer").fill("first line")
      await page.locator("#composer").press("Enter")
      await page.keyboard.type("second line")
      assert.strictEqual(await page.locator("#composer").inputValue(), "first line\nsecond line")
      await page.locator("#composer").press("Control+Enter")
      await page.locator(".message.is-user", { hasText: "second line" }).waitFor()
    }))
})

describe("notifications", () => {
  const { agent, letGo } = heldAgent()
  const gateway = useGateway({ agent })
  const console = useConsole(() => gateway.env)
  const browser = useBrowser()

  it("a notification comes when an agent finishes out of sight, opens its session, and not for an own stop", () =>
    withPage(browser, { prepare: listNotifications }, async (page) => {
      await page.goto(`${console.url}/settings/notifications`)
      await connected(page)
      assert.isFalse(await page.getByRole("switch", { name: "Notify me" }).isChecked())
      await page.getByRole("switch", { name: "Notify me" }).check()
      await page.locator('[role=switch][aria-checked="true"]').waitFor()
      const session = await openNewSession(page, console.url)
      const path = new URL(page.url()).pathname
      const away = () => page.locator('.navigation a[href="/settings"]').click()
      const busy = (is: boolean) => page.locator(`#log[aria-busy="${is}"]`).waitFor({ state: "attached" })

      // The session on screen of a page in sight calls nobody, nor does a run that was stopped.
      await say(page, "Hello there")
      await page.locator(".message.is-assistant", { hasText: "You said" }).waitFor()
      await busy(false)
      await say(page, "hang")
      await busy(true)
      await page.getByRole("button", { name: "Stop response" }).click()
      await busy(false)
      await away()

      await page.goBack()
      await say(page, "hold on, please")
      await page.locator(".message.is-assistant", { hasText: "at it" }).waitFor()
      await away()
      await page.locator(".settings-page").waitFor()
      letGo()
      await until(async () => (await newsOf(page, session)).length > 0)
      assert.strictEqual((await newsOf(page, session)).length, 1)
      await page.evaluate("shownNotifications.at(-1).click()")
      await page.waitForURL((url) => url.pathname === path)
    }))
})

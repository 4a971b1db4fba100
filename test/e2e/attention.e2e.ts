import { assert, describe, it, vi } from "@effect/vitest"
import type { Page } from "playwright-core"
import { withPage } from "./support/browser.ts"
import { connected, openNewSession, say } from "./support/conversation.ts"
import { heldAgent } from "./support/heldAgent.ts"
import { useBrowser, useConsole, useGateway } from "./support/useConsole.ts"

/** Lists notifications instead of showing them, and counts the notes that are played, in every page of the profile. */
const listen = async (page: Page) => {
  await page.context().addInitScript(() => {
    const shown: Array<{ tag: string; click: () => void }> = []
    class Listed {
      static permission = "granted"
      onclick: (() => void) | null = null
      constructor(_title: string, { tag }: { tag: string }) {
        shown.push({ tag, click: () => this.onclick?.() })
        document.documentElement.dataset.news = tag
      }
      close() {
        document.documentElement.dataset.closed = "true"
      }
    }
    const played = { notes: 0 }
    const start = OscillatorNode.prototype.start
    OscillatorNode.prototype.start = function (...when) {
      played.notes++
      return start.apply(this, when)
    }
    Object.assign(window, { Notification: Listed, shownNotifications: shown, played })
  })
}

const withoutLocks = async (page: Page) => {
  await listen(page)
  await page.context().addInitScript(() => Object.defineProperty(navigator, "locks", { value: undefined }))
}

const notesOf = (page: Page): Promise<number> => page.evaluate("played.notes")
const hasNewsOf = (page: Page, session: string) =>
  page.locator(`html[data-news="${session}"]`).waitFor({ state: "attached" })
const switchOn = async (page: Page, name: string) => {
  await page.getByRole("switch", { name }).check()
  await page.getByRole("switch", { name, checked: true }).waitFor()
}

describe("calls for attention", () => {
  const { agent, letGo } = heldAgent()
  const gateway = useGateway({ agent })
  const console = useConsole(() => gateway.env)
  const browser = useBrowser(["--autoplay-policy=no-user-gesture-required"])

  const twoTabs = (prepare: (page: Page) => Promise<void>) => () =>
    withPage(browser, { prepare }, async (page) => {
      await page.goto(`${console.url}/settings/notifications`)
      await connected(page)
      await switchOn(page, "Notify me")
      await switchOn(page, "Play a sound")
      // Switching it on lets it be heard: as many notes are one signal.
      const signal = await notesOf(page)
      assert.isAbove(signal, 0)

      const session = await openNewSession(page, console.url)
      const other = await page.context().newPage()
      await other.goto(`${console.url}/board`)
      await connected(other)
      await other.getByRole("heading", { level: 1 }).click()
      await say(page, "hold on, please")
      await page.locator('#log[aria-busy="true"]').waitFor({ state: "attached" })
      await page.locator('.navigation a[href="/settings"]').click()
      await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor()
      letGo()
      for (const tab of [page, other]) await hasNewsOf(tab, session)
      const notes = async () => (await notesOf(page)) + (await notesOf(other))
      await vi.waitUntil(async () => (await notes()) >= signal, { timeout: 30_000 })
      // The other one would have played by now, too.
      await page.waitForTimeout(1_500)
      assert.strictEqual(await notes(), signal)

      // The click leads to the conversation, in the tab whose notification it is.
      await other.evaluate("shownNotifications.at(-1).click()")
      await other.waitForURL((url) => decodeURIComponent(url.pathname) === `/chat/${session}`)
      await other.locator(".message.is-user", { hasText: "hold on, please" }).waitFor()
      await other.locator('html[data-closed="true"]').waitFor({ state: "attached" })
      assert.include(new URL(page.url()).pathname, "/settings")
    })

  it("two tabs report a response, one of them with a sound", twoTabs(listen))

  it("also where the page may not use locks, as on plain HTTP", twoTabs(withoutLocks))
})

import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { keepPicture, type PageOptions, withPage } from "./support/browser.ts"
import { connected, finishedAnswer, openNewSession, say } from "./support/conversation.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

describe("what was begun to be written", () => {
  const console = useConsole()
  const browser = useBrowser()

  const composerIs = (page: Page, text: string) =>
    page.waitForFunction((wanted) => document.querySelector("textarea")?.value === wanted, text)
  const note = (page: Page, text: string) => page.locator(".composer-draft", { hasText: text })
  /** Recent typing keeps the text, so time passes on pages with an installed clock. */
  const leftAlone = (page: Page) => page.clock.fastForward(3_500)

  const withClock: PageOptions = { prepare: (page) => page.clock.install() }

  /** The same session on a desk and on a phone. */
  const onBoth = (run: (desk: Page, phone: Page, key: string) => Promise<void>, options: PageOptions = withClock) =>
    withPage(browser, options, (desk) =>
      withPage(browser, { ...withClock, size: "phone" }, async (phone) => {
        const key = await openNewSession(desk, console.url)
        await say(desk, "hello there")
        await finishedAnswer(desk, "You said: “hello there”")
        await phone.goto(`${console.url}/chat/${encodeURIComponent(key)}`)
        await connected(phone)
        await finishedAnswer(phone, "You said: “hello there”")
        await run(desk, phone, key)
      })
    )

  it("appears on the other device, survives reloads of both, and is removed on both once it was sent", () =>
    onBoth(async (desk, phone) => {
      await desk.locator("#composer").pressSequentially("begun at the desk")
      await composerIs(phone, "begun at the desk")
      await note(phone, "Draft from another device").waitFor()
      await keepPicture(phone, "draft-phone")
      assert.strictEqual(await desk.locator(".composer-draft").count(), 0)
      await phone.reload()
      await composerIs(phone, "begun at the desk")
      await desk.reload()
      await composerIs(desk, "begun at the desk")
      await phone.locator("#composer").pressSequentially(", ended on the phone")
      await composerIs(desk, "begun at the desk, ended on the phone")
      await phone.getByRole("button", { name: "Send message" }).click()
      await composerIs(phone, "")
      await composerIs(desk, "")
      await finishedAnswer(desk, "You said: “begun at the desk, ended on the phone”")
    }))

  it("comes back with Undo, and then appears on the other device, too", () =>
    onBoth(async (desk, phone) => {
      await phone.locator("#composer").fill("words of the phone")
      await composerIs(desk, "words of the phone")
      await leftAlone(phone)
      await desk.locator("#composer").fill("words of the desk")
      await composerIs(phone, "words of the desk")
      await keepPicture(desk, "draft-desktop")
      await leftAlone(desk)
      await phone.getByRole("button", { name: "Undo" }).click()
      await composerIs(phone, "words of the phone")
      await composerIs(desk, "words of the phone")
      // The words that stood there can be had again in turn.
      await note(phone, "Your words replaced a draft from another device").waitFor()
      await note(desk, "Draft from another device").waitFor()
      await desk.getByRole("button", { name: "Close this note" }).click()
      await note(desk, "").waitFor({ state: "detached" })
      await composerIs(desk, "words of the phone")
    }))

  it("is kept without the console, and goes to the other device when it is back", () => {
    let isAway = false
    return onBoth(
      async (desk, phone) => {
        isAway = true
        const tried = desk.waitForRequest(
          (request) => request.method() === "PUT" && /\/api\/drafts/.test(request.url())
        )
        await desk.locator("#composer").fill("written on the train")
        await tried
        assert.strictEqual(await phone.locator("#composer").inputValue(), "")
        isAway = false
        await desk.reload()
        await composerIs(desk, "written on the train")
        await composerIs(phone, "written on the train")
      },
      {
        expectedErrors: [/ERR_FAILED/],
        prepare: async (page) => {
          await page.route(/\/api\/drafts/, (route) => (isAway ? route.abort() : route.continue()))
        }
      }
    )
  })

  it("waits while an earlier message is edited in its place", () =>
    onBoth(async (desk, phone) => {
      const message = desk.locator(".message.is-user").last()
      await message.hover()
      await message.getByRole("button", { name: "Edit" }).click()
      await desk.getByText("Editing an earlier message").waitFor()
      await phone.locator("#composer").fill("meanwhile")
      await desk.waitForTimeout(2_000)
      assert.strictEqual(await desk.locator("#composer").inputValue(), "hello there")
      assert.strictEqual(await phone.locator("#composer").inputValue(), "meanwhile")
      await desk.getByRole("button", { name: "Cancel" }).click()
      await composerIs(desk, "meanwhile")
    }))

  it("is one for all tabs of a browser, each of its own session", () =>
    withPage(browser, {}, async (page) => {
      const first = await openNewSession(page, console.url)
      // Until then, the browser has one new session for all of its tabs.
      await say(page, "good morning")
      await finishedAnswer(page, "You said")
      const tab = await page.context().newPage()
      const second = await openNewSession(tab, console.url)
      await page.locator("#composer").fill("in the first")
      await tab.locator("#composer").fill("in the second")
      await tab.close()
      await page.goto(`${console.url}/chat/${encodeURIComponent(second)}`)
      await composerIs(page, "in the second")
      await page.goto(`${console.url}/chat/${encodeURIComponent(first)}`)
      await composerIs(page, "in the first")
      await page.waitForTimeout(1_500)
      assert.strictEqual(await page.locator(".composer-draft").count(), 0)
    }))
})

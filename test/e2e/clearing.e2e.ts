import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { keepPicture, withPage } from "./support/browser.ts"
import { finishedAnswer, openNewSession, say } from "./support/conversation.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

describe("what would be lost in a conversation", () => {
  const console = useConsole()
  const browser = useBrowser()

  const written = (page: Page) => page.locator("#composer").inputValue()
  const question = (page: Page) => page.getByRole("dialog", { name: "Clear this session?" })

  it("/new and /reset ask first, and keep what was typed until there is an answer", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      await say(page, "hello there")
      await finishedAnswer(page, /./)
      for (const command of ["/new", "/reset and begin again"]) {
        await page.locator("#composer").fill(command)
        await page.locator("#composer").press("Enter")
        await question(page).getByRole("button", { name: "Cancel" }).click()
        await question(page).waitFor({ state: "detached" })
        assert.strictEqual(await written(page), command)
        assert.strictEqual(await page.locator(".message.is-user").count(), 1)
      }
      await page.locator("#composer").press("Enter")
      await question(page).getByRole("button", { name: "Clear" }).click()
      await page.locator(".message.is-user", { hasText: "hello there" }).waitFor({ state: "detached" })
      assert.strictEqual(await written(page), "")
    }))

  it("what was cleared can be read and saved afterwards", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      for (const text of ["the first question", "the second question"]) {
        await say(page, text)
        await finishedAnswer(page, /./)
      }
      await page.locator(".message.is-assistant .message-foot").nth(1).waitFor()
      await page.locator("#composer").fill("/new")
      await page.locator("#composer").press("Enter")
      await question(page).getByRole("button", { name: "Clear" }).click()
      await page.locator(".message.is-user", { hasText: "the second question" }).waitFor({ state: "detached" })
      await page.getByRole("button", { name: "More for this conversation" }).click()
      await page.getByRole("menuitem", { name: "Removed messages" }).click()
      const dialog = page.getByRole("dialog", { name: "Removed messages" })
      await dialog.getByText("4 messages, removed").waitFor()
      assert.include(await dialog.locator("pre").textContent(), "the second question")
      await keepPicture(page, "removed-messages")
      const download = page.waitForEvent("download")
      await dialog.getByRole("button", { name: "Save as Markdown" }).click()
      assert.match((await download).suggestedFilename(), /removed\.md$/)
    }))

  it("Escape in the session filter clears and leaves it, and the response goes on", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      await say(page, "slow please")
      await page.locator(".message.is-assistant", { hasText: "Step 1" }).waitFor()
      const filter = page.locator(".sessions-filter")
      await filter.fill("nothing like it")
      await filter.press("Escape")
      await page.waitForFunction(() => document.querySelector<HTMLInputElement>(".sessions-filter")?.value === "")
      await filter.press("Escape")
      await page.waitForFunction(() => document.activeElement === document.body)
      assert.strictEqual(await page.locator(".run-stopped").count(), 0)
      assert.strictEqual(await page.locator('#log[aria-busy="true"]').count(), 1)
    }))

  it("an address without a session says so", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${console.url}/chat/agent:main:no-such-session`)
      await page.getByRole("status").filter({ hasText: "There's no session at this address" }).waitFor()
      await page.getByRole("button", { name: "New session" }).last().waitFor()
      assert.strictEqual(await page.locator("#composer").count(), 0)
      await page.goto(`${console.url}/chat/agent:main:main`)
      await page.locator("#log .message, #log .empty").first().waitFor()
      assert.strictEqual(await page.getByText("There's no session at this address").count(), 0)
    }))

  it("a text that is being written comes back after an earlier message was edited", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      await say(page, "hello there")
      await finishedAnswer(page, /./)
      await page.locator("#composer").fill("half a thought")
      await page.getByRole("button", { name: "Edit and resend" }).click()
      assert.strictEqual(await written(page), "hello there")
      await page.getByRole("button", { name: "Cancel" }).click()
      assert.strictEqual(await written(page), "half a thought")
    }))
})

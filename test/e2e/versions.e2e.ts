import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, type Size, withPage } from "./support/browser.ts"
import { connected, finishedAnswer, idle, openNewSession, say } from "./support/conversation.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

describe("versions of a conversation", () => {
  const console = useConsole()
  const browser = useBrowser()

  const question = (page: Page, text: string) => page.locator(".message.is-user", { hasText: text })
  const versions = (page: Page) => page.getByRole("group", { name: "Versions of this message" })
  const button = (page: Page, name: "Previous version" | "Next version") => page.getByRole("button", { name })
  const mark = (page: Page, text: string) => versions(page).getByText(text).waitFor()
  const copies = (page: Page) => page.evaluate(() => localStorage.getItem("agent-console:removed"))
  const edit = async (page: Page, from: string, to: string) => {
    await question(page, from).locator(".bubble").click()
    await question(page, from).getByRole("button", { name: "Edit and resend" }).click()
    await page.locator(".composer-edit", { hasText: "you can switch back to it" }).waitFor()
    await page.locator("#composer").fill(to)
    await page.locator("#composer").press("Enter")
    await finishedAnswer(page, `You said: “${to}”`)
  }

  const sizes: ReadonlyArray<Size> = ["desktop", "phone"]
  for (const size of sizes)
    it(`an edited question is switched back and forth, also in another browser, on a ${size}`, () =>
      withPage(browser, { size, theme: size === "phone" ? "dark" : "light" }, async (page) => {
        const key = await openNewSession(page, console.url)
        for (const text of ["first words", "second words"]) {
          await say(page, text)
          await finishedAnswer(page, `You said: “${text}”`)
        }
        assert.strictEqual(await versions(page).count(), 0)
        const edits = question(page, "first words").getByRole("button", { name: "Edit and resend" })
        // Where nothing hovers, a tap shows a message's buttons.
        await question(page, "first words").locator(".bubble").click()
        await edits.click()
        await page.getByText("This version stays, with 3 later messages: you can switch back to it.").waitFor()
        await page.getByRole("button", { name: "Cancel" }).click()
        await edit(page, "first words", "better words")
        await mark(page, "2/2")
        assert.isTrue(await button(page, "Next version").isDisabled())
        assert.deepStrictEqual(await accessProblems(page), [])
        await keepPicture(page, `versions-${size}`)

        await button(page, "Previous version").focus()
        await page.keyboard.press("Enter")
        await question(page, "second words").waitFor()
        await mark(page, "1/2")
        assert.strictEqual(await question(page, "better words").count(), 0)
        // The button that was pressed leads no further, so the other one has the focus.
        await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Next version")
        assert.strictEqual(await copies(page), null)
        await page.reload()
        await mark(page, "1/2")

        await withPage(browser, { size }, async (other) => {
          await other.goto(`${console.url}/chat/${encodeURIComponent(key)}`)
          await mark(other, "1/2")
          await button(other, "Next version").click()
          await question(other, "better words").waitFor()
          await mark(other, "2/2")
        })
        await question(page, "better words").waitFor()
        await mark(page, "2/2")
        await question(page, "second words").waitFor({ state: "detached" })
      }))

  it("nothing is switched while a turn runs, and a regenerated answer stays, too", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      await say(page, "hello there")
      await finishedAnswer(page, "You said: “hello there”")
      await page.getByRole("button", { name: "Regenerate" }).click()
      await mark(page, "2/2")
      await say(page, "slow please")
      await page.locator(".message.is-assistant", { hasText: "Step 1" }).waitFor()
      assert.isTrue(await button(page, "Previous version").isDisabled())
      await page.getByRole("button", { name: "Stop response" }).click()
      await idle(page)
      await page.waitForFunction(
        () => document.querySelector<HTMLButtonElement>('[aria-label="Previous version"]')?.disabled === false
      )
      await button(page, "Previous version").click()
      await mark(page, "1/2")
      await question(page, "slow please").waitFor({ state: "detached" })
    }))

  it("all versions are listed, and one can be gone back to from there", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      await say(page, "good morning")
      await finishedAnswer(page, "You said: “good morning”")
      await edit(page, "good morning", "good evening")
      await mark(page, "2/2")
      await page.getByRole("button", { name: "More for this conversation" }).click()
      await page.getByRole("menuitem", { name: "Removed messages" }).click()
      const dialog = page.getByRole("dialog", { name: "Removed messages" })
      await dialog.getByText("You said: “good morning”").waitFor()
      assert.deepStrictEqual(await accessProblems(page), [])
      await keepPicture(page, "versions-listed")
      await dialog.getByRole("button", { name: "Switch to it" }).click()
      await dialog.waitFor({ state: "detached" })
      await question(page, "good morning").waitFor()
    }))

  for (const size of sizes)
    it(`a kept copy is deleted, and that is undone, on a ${size}`, () =>
      withPage(browser, { size }, async (page) => {
        await openNewSession(page, console.url)
        await say(page, "keep this")
        await finishedAnswer(page, "You said: “keep this”")
        await page.locator("#composer").fill("/new")
        await page.locator("#composer").press("Enter")
        await page.getByRole("dialog").getByRole("button", { name: "Clear" }).click()
        await question(page, "keep this").waitFor({ state: "detached" })
        await page.getByRole("button", { name: "More for this conversation" }).click()
        await page.getByRole("menuitem", { name: "Removed messages" }).click()
        const dialog = page.getByRole("dialog", { name: "Removed messages" })
        await dialog.getByRole("button", { name: "Delete" }).click()
        await dialog.getByText("No deleted messages.").waitFor()
        assert.strictEqual(await copies(page), "[]")
        assert.deepStrictEqual(await accessProblems(page), [])
        await keepPicture(page, `copy-deleted-${size}`)
        await dialog.getByRole("button", { name: "Undo" }).click()
        await dialog.getByText("2 messages, removed").waitFor()
        assert.include(await copies(page), "keep this")
        await dialog.getByRole("button", { name: "Delete" }).click()
        await page.keyboard.press("Escape")
        await dialog.waitFor({ state: "detached" })
        await page.reload()
        await connected(page)
        assert.strictEqual(await copies(page), "[]")
      }))
})

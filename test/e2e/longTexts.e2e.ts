import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, SIZES, type Size, withPage } from "./support/browser.ts"
import { idle, openNewSession } from "./support/conversation.ts"
import { useBrowser, useQuickConsole } from "./support/useConsole.ts"

const sizes: ReadonlyArray<Size> = ["desktop", "phone"]

/** Pastes as the keyboard does. */
const paste = async (page: Page, text: string) => {
  await page.evaluate((words) => navigator.clipboard.writeText(words), text)
  await page.locator("#composer").press("ControlOrMeta+V")
}

const sidewards = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

describe("long texts", () => {
  const browser = useBrowser()
  const console = useQuickConsole()

  // What a browser lets outlive a page is counted in bytes, so the request of such a message can't be of that kind.
  it("in Chinese are sent at once, and are shown folded", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      const text = "长文字".repeat(7_400)
      await page.locator("#composer").fill(text)
      await page.locator("#composer").press("Enter")
      const message = page.locator(".message.is-user")
      await message.getByText("Read by the agent").waitFor({ state: "attached" })
      await idle(page)
      const folded = message.locator(".bubble-words.is-folded")
      const lines = () =>
        folded.evaluate((words) => words.clientHeight / Number.parseFloat(getComputedStyle(words).lineHeight))
      assert.approximately(await lines(), 12, 0.5)
      await message.getByRole("button", { name: "Show more" }).click()
      await folded.waitFor({ state: "detached" })
      assert.strictEqual((await message.locator(".bubble-words").textContent())?.trim(), text)
    }))

  for (const size of sizes)
    it(`become files when they are pasted, and say that they are too long to be sent (${SIZES[size].width} px)`, () =>
      withPage(browser, { size }, async (page) => {
        await openNewSession(page, console.url)
        const line = "a line of some words\n"
        await paste(page, line.repeat(1_200))
        await page.locator(".composer-file", { hasText: "pasted text.txt" }).waitFor()
        await page.getByText("The long text you pasted is a file now.").waitFor()
        await keepPicture(page, `long-paste-${size}`)
        assert.isAtMost(await sidewards(page), 0)
        await page.getByRole("button", { name: "Keep it as text" }).click()
        assert.strictEqual(await page.locator("#composer").inputValue(), line.repeat(1_200))
        await page.locator("#composer").press("Enter")
        await page.locator(".message.is-user .bubble-words.is-folded").waitFor()
        await keepPicture(page, `long-message-${size}`)
        await page.locator("#composer").fill("x".repeat(204_000))
        await page.getByText("That's too long to send (204,000 of 200,000 characters).").waitFor()
        assert.isTrue(await page.getByRole("button", { name: /^(Send|Queue) message$/ }).isDisabled())
        await keepPicture(page, `too-long-${size}`)
        assert.isAtMost(await sidewards(page), 0)
        assert.deepStrictEqual(await accessProblems(page), [])
      }))
})

import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { recordsOf } from "../../web/src/core/common/decode.ts"
import { keepPicture, type Size, withPage } from "./support/browser.ts"
import { finishedAnswer, idle, openNewSession, say } from "./support/conversation.ts"
import { assertEqualsHistory } from "./support/equalsHistory.ts"
import { gatewayCall } from "./support/gatewayHistory.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

describe("messages written while the agent works", () => {
  const console = useConsole()
  const browser = useBrowser()

  const working = async (page: Page): Promise<string> => {
    const key = await openNewSession(page, console.url)
    await say(page, "slow please")
    await page.locator(".message.is-assistant", { hasText: "Step 1" }).waitFor()
    return key
  }
  const composerIs = (page: Page, text: string) =>
    page.waitForFunction((wanted) => document.querySelector("textarea")?.value === wanted, text)

  const sizes: ReadonlyArray<Size> = ["desktop", "phone"]
  for (const size of sizes)
    it(`are taken back one by one, and all of them by Stop, on a ${size}`, () =>
      withPage(browser, { size }, async (page) => {
        await working(page)
        for (const text of ["number one", "number two", "number three"]) await say(page, text)
        await page.locator(".message.is-held").nth(2).waitFor()
        await keepPicture(page, `held-${size}`)
        const first = page.locator(".message.is-held", { hasText: "number one" })
        await first.getByRole("button", { name: "Edit" }).click()
        await composerIs(page, "number one")
        await page.locator("#composer").fill("")
        await page.getByRole("button", { name: "Stop response" }).click()
        await page.locator(".run-stopped").waitFor()
        await composerIs(page, "number two\nnumber three")
        assert.strictEqual(await page.locator(".message.is-user").count(), 1)
      }))

  it("go to the running answer at once on request", () =>
    withPage(browser, {}, async (page) => {
      const key = await openNewSession(page, console.url)
      await say(page, "Please approve something")
      await page.locator('[data-tool="exec"].is-running').waitFor()
      await say(page, "and mind the step")
      await page.locator(".message.is-held").getByRole("button", { name: "Send now" }).click()
      const handed = page.locator(".message.is-queued:not(.is-held)")
      await handed.getByText("Sent to the agent, which reads it at its next step").waitFor()
      const [approval] = recordsOf(await gatewayCall(console.url, "exec.approval.list", {}))
      await gatewayCall(console.url, "exec.approval.resolve", { id: approval?.id, decision: "allow-once" })
      await finishedAnswer(page, "Noted while I work: “and mind the step”.")
      await idle(page)
      assert.strictEqual(await page.locator(".message.is-held, .message.is-queued").count(), 0)
      await assertEqualsHistory(page, console.url, key)
    }))

  it("survive leaving the page as a draft", () =>
    withPage(browser, {}, async (page) => {
      await working(page)
      await say(page, "do not lose me")
      await page.locator(".message.is-held").waitFor()
      await page.reload()
      await composerIs(page, "do not lose me")
      await page.getByRole("button", { name: "Stop response" }).click()
      await idle(page)
    }))
})

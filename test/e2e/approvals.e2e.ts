import { assert, describe, it } from "@effect/vitest"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, type Size, withPage } from "./support/browser.ts"
import { finishedAnswer, idle, openNewSession, say } from "./support/conversation.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

describe("what an agent may not do without a person", () => {
  const console = useConsole()
  const browser = useBrowser()

  const sizes: ReadonlyArray<Size> = ["desktop", "phone"]
  for (const size of sizes)
    it(`is allowed and denied in the conversation, on a ${size}`, () =>
      withPage(browser, { size, theme: size === "phone" ? "dark" : "light" }, async (page) => {
        await openNewSession(page, console.url)
        await say(page, "Please approve something")
        const request = page.locator(".approval")
        await request.getByText("rm -r ./old-reports && echo tidy").waitFor()
        await page.waitForFunction(() => document.title.includes("Waiting for you"))
        await keepPicture(page, `approval-${size}`)
        assert.deepStrictEqual(await accessProblems(page), [])
        // A reload asks again: the gateway knows what waits.
        await page.reload()
        await request.getByRole("button", { name: "Allow once" }).click()
        await finishedAnswer(page, "The command ran")
        await request.waitFor({ state: "detached" })

        await say(page, "Please approve something")
        await request.getByRole("button", { name: "Deny" }).click()
        await finishedAnswer(page, "I leave everything as it is")
        await page.waitForFunction(() => !document.title.includes("Waiting for you"))
      }))

  it("waits in one inbox for all sessions", () =>
    withPage(browser, {}, async (page) => {
      const first = await openNewSession(page, console.url)
      await say(page, "Please approve something")
      await page.locator(".approval").waitFor()
      await openNewSession(page, console.url)
      assert.strictEqual(await page.locator(".approval").count(), 0)
      await page.locator(`a[data-session="${first}"].is-waiting`).waitFor()
      await page.getByRole("button", { name: "1 request waits for you" }).click()
      const inbox = page.getByRole("dialog", { name: "Waiting for you" })
      await inbox.getByText("rm -r ./old-reports").waitFor()
      await keepPicture(page, "approval-inbox")
      assert.deepStrictEqual(await accessProblems(page), [])
      await inbox.getByRole("button", { name: "Deny" }).click()
      await inbox.getByText("Nothing waits for you").waitFor()
      await page.keyboard.press("Escape")
      await inbox.waitFor({ state: "detached" })
      await idle(page)
    }))
})

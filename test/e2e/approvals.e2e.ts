import { assert, describe, it } from "@effect/vitest"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, type Size, withPage } from "./support/browser.ts"
import { finishedAnswer, openNewSession, say } from "./support/conversation.ts"
import { useBrowser, useConsole, useGateway } from "./support/useConsole.ts"

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
        await request.getByText("Denied automatically in 30 min").waitFor()
        await page.locator(".activity", { hasText: "Waiting for you" }).waitFor({ state: "attached" })
        await page.waitForFunction(() => document.title.includes("Waiting for you"))
        const row = page.locator('[data-tool="exec"]', { hasText: "Waiting for you" })
        await row.locator(".tool-target", { hasText: "rm -r ./old-reports" }).waitFor()
        await request.getByText("Runs on the gateway, in the folder workspace").waitFor()
        await request.getByText("Covers this exact command in this folder").waitFor()
        assert.strictEqual(await page.locator(".typing").count(), 0, "nobody types while a person is waited for")
        if (size === "phone") {
          const boxes = await request.locator(".approval-answers .button").evaluateAll((buttons) =>
            buttons.map((button) => {
              const { width, y } = button.getBoundingClientRect()
              return { width: Math.round(width), y: Math.round(y) }
            })
          )
          const [allow, deny, always] = boxes
          assert.strictEqual(boxes.length, 3)
          assert.deepStrictEqual(allow, deny, "one as wide as the other, in one row")
          assert.isAbove(always?.y ?? 0, deny?.y ?? 0, "below what holds once")
          assert.isAbove(always?.width ?? 0, 2 * (deny?.width ?? 0))
        }
        await keepPicture(page, `approval-${size}`)
        assert.deepStrictEqual(await accessProblems(page), [])
        // A reload asks again: the gateway knows what waits.
        await page.reload()
        await request.getByRole("button", { name: "Allow once" }).click()
        await finishedAnswer(page, "The command ran")
        await request.waitFor({ state: "detached" })

        await say(page, "Please approve something")
        await request.getByRole("button", { name: "Deny" }).click()
        await finishedAnswer(page, "I'll leave everything as it is")
        await page.locator('[data-tool="exec"].is-denied:not([open])', { hasText: "Denied" }).waitFor()
        await page.waitForFunction(() => !document.title.includes("Waiting for you"))
      }))

  it("is counted on a phone's tab outside its conversation, and the sessions open without a keyboard", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      const key = await openNewSession(page, console.url)
      await say(page, "Please approve something")
      await page.locator(".approval").waitFor()
      await page.goto(`${console.url}/board`)
      await page.locator("a[data-session]").first().waitFor({ state: "attached" })
      await page.getByRole("link", { name: /^Inbox\s*\d+$/ }).waitFor()
      await page.getByRole("button", { name: "Sessions" }).click()
      await page.locator(".sessions-filter").waitFor()
      await page.waitForFunction(() => document.activeElement?.closest(".sidebar") != null)
      assert.strictEqual(await page.evaluate(() => document.activeElement?.tagName), "A")
      await keepPicture(page, "approval-badge-phone")
      assert.deepStrictEqual(await accessProblems(page), [])
      await page.goto(`${console.url}/chat/${encodeURIComponent(key)}`)
      await page.locator(".approval").getByRole("button", { name: "Deny" }).click()
      await page.locator(".approval").waitFor({ state: "detached" })
    }))

  it("waits in one inbox for all sessions", () =>
    withPage(browser, {}, async (page) => {
      const first = await openNewSession(page, console.url)
      await say(page, "Please approve something")
      await page.locator(".approval").waitFor()
      await openNewSession(page, console.url)
      assert.strictEqual(await page.locator(".approval").count(), 0)
      await page.locator(`a[data-session="${first}"].is-waiting`).waitFor()
      await page.getByRole("link", { name: "Inbox" }).click()
      const inbox = page.locator("#main")
      await inbox.getByText("rm -r ./old-reports").waitFor()
      await keepPicture(page, "approval-inbox")
      assert.deepStrictEqual(await accessProblems(page), [])
      await inbox.getByRole("button", { name: "Deny" }).click()
      await inbox.getByText("Nothing is waiting for you").waitFor()
      await page.getByRole("link", { name: "Chat", exact: true }).click()
      // The list says it in the same word and colour as the tool's own line.
      const row = page.locator(`a[data-session="${first}"].is-denied`, { hasText: "Denied" })
      const colour = (element: Element) => getComputedStyle(element).color
      const inList = await row.locator(".session-mark").evaluate(colour)
      await page.locator(`a[data-session="${first}"]`).click()
      const inLog = page.locator('[data-tool="exec"] .tool-status', { hasText: "Denied" })
      assert.strictEqual(await inLog.evaluate(colour), inList)
      await page.locator(`a[data-session="${first}"].is-idle .session-state`, { hasText: "Denied" }).waitFor()
    }))
})

describe("a permission that an older gateway's agent needs", () => {
  const gateway = useGateway({ generation: "old", tokenMs: 0 })
  const console = useConsole(() => gateway.env)
  const browser = useBrowser()

  it("is there after a reload, and in a browser that came later", () =>
    withPage(browser, {}, async (page) => {
      const key = await openNewSession(page, console.url)
      await say(page, "Please approve something")
      const request = page.locator(".approval")
      await request.getByText("rm -r ./old-reports && echo tidy").waitFor()
      await page.reload()
      await request.getByText("Denied automatically in 2 min").waitFor()
      await withPage(browser, { size: "phone" }, async (other) => {
        await other.goto(`${console.url}/chat/${encodeURIComponent(key)}`)
        await other.locator(".approval").getByRole("button", { name: "Allow once" }).click()
        await finishedAnswer(other, "The command ran")
      })
      await request.waitFor({ state: "detached" })
      await finishedAnswer(page, "The command ran")
    }))
})

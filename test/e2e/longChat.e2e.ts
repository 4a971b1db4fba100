import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { XSS_CORPUS } from "../../web/test/core/support/xssCorpus.ts"
import { withPage } from "./support/browser.ts"
import { connected, finishedAnswer, say } from "./support/conversation.ts"
import { gatewayCall, gatewayCalls } from "./support/gatewayHistory.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

const COUNT = 5_000
/** Entries of the log that are drawn at most, whatever its length. */
const MAX_DRAWN = 400

describe("long and hostile conversations", () => {
  const console = useConsole()
  const browser = useBrowser()

  const fill = async (key: string, texts: ReadonlyArray<string>): Promise<void> => {
    await gatewayCall(console.url, "sessions.create", { key })
    await gatewayCalls(
      console.url,
      "chat.inject",
      texts.map((message) => ({ sessionKey: key, message }))
    )
  }
  const open = async (page: Page, key: string): Promise<void> => {
    await page.goto(`${console.url}/chat/${encodeURIComponent(key)}`)
    await connected(page)
  }
  const drawn = (page: Page) => page.locator("#log .entry").count()

  it(
    `a conversation of ${COUNT} messages is read back to the first, drawn in part, and goes on at its end`,
    () =>
      withPage(browser, {}, async (page) => {
        const key = "agent:main:long"
        await fill(
          key,
          Array.from({ length: COUNT }, (_, index) => `Message number ${index}: **some** text and \`code\`.`)
        )
        await open(page, key)
        await page.getByText(`Message number ${COUNT - 1}:`).waitFor()
        await page.getByRole("button", { name: "Search this conversation" }).click()
        await page.getByRole("searchbox", { name: "Search this conversation" }).fill("number 17:")
        await page.getByRole("button", { name: "Search older messages" }).click()
        await page.getByText("1 found").waitFor({ timeout: 60_000 })
        await page.getByRole("searchbox", { name: "Search this conversation" }).press("Enter")
        await page.getByText("Message number 17:").waitFor()
        assert.isAtMost(await drawn(page), MAX_DRAWN)
        await page.getByRole("button", { name: "Close search" }).click()

        await page.locator("#log").hover()
        await page.evaluate(`window.frames_ = []; (function next(last) {
        requestAnimationFrame((now) => { window.frames_.push(now - last); next(now) })
      })(performance.now())`)
        for (let step = 0; step < 60; step++) {
          await page.mouse.wheel(0, 600)
          await page.waitForTimeout(16)
        }
        const frames: unknown = await page.evaluate("window.frames_")
        const sorted = (Array.isArray(frames) ? frames : []).map(Number).toSorted((a, b) => a - b)
        globalThis.console.info(
          `frames while scrolling ${COUNT} messages: ${sorted.length}, median ${sorted[sorted.length >> 1]?.toFixed(1)} ms, ` +
            `95 % ${sorted[Math.floor(sorted.length * 0.95)]?.toFixed(1)} ms, longest ${sorted.at(-1)?.toFixed(1)} ms`
        )
        // The stretch that is drawn went along.
        await page.waitForFunction(() =>
          [...document.querySelectorAll("#log .entry")].some(
            (entry) => Number(/number (\d+):/.exec(entry.textContent ?? "")?.[1] ?? 0) > 400
          )
        )
        assert.isAtMost(await drawn(page), MAX_DRAWN)
        await page.getByRole("button", { name: /^Jump to latest/ }).click()
        await page.getByText(`Message number ${COUNT - 1}:`).waitFor()
        await say(page, "and on it goes")
        await finishedAnswer(page, "You said: “and on it goes”")
        assert.isAtMost(await drawn(page), MAX_DRAWN)
      }),
    150_000
  )

  it("hostile texts in messages and names stay texts", () =>
    // One of the texts is a picture of a file that is not there.
    withPage(browser, { expectedErrors: [/\/api\/files/] }, async (page) => {
      const key = "agent:main:hostile"
      await fill(key, [...XSS_CORPUS, `[chart:{"type":"tv","symbol":"<img src=x onerror=alert(1)>"}]`])
      await gatewayCall(console.url, "sessions.patch", { key, label: XSS_CORPUS.slice(0, 8).join(" ") })
      let alerts = 0
      page.on("dialog", (dialog) => {
        alerts++
        void dialog.dismiss()
      })
      await open(page, key)
      await page.getByRole("button", { name: "Load market chart" }).waitFor()
      await say(page, XSS_CORPUS.slice(8, 20).join("\n"))
      await finishedAnswer(page, "You said")
      assert.strictEqual(alerts, 0)
      const foreign = "#app :is(script, iframe, object, embed, form:not(.composer), [onerror], [onload], [onclick])"
      assert.strictEqual(await page.locator(foreign).count(), 0)
    }))

  it("a line of a megabyte shows in part, and everything else goes on", () =>
    withPage(browser, {}, async (page) => {
      const key = "agent:main:endless"
      await fill(key, ["before", "x".repeat(1_000_000), "after"])
      await open(page, key)
      await page.getByRole("button", { name: /^Show all \(/ }).waitFor()
      await page.locator(".message", { hasText: "after" }).waitFor()
      await say(page, "still there?")
      await finishedAnswer(page, "You said: “still there?”")
    }))
})

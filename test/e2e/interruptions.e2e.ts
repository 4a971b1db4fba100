import { assert, beforeEach, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { keepPicture, type PageOptions, type Size, withPage } from "./support/browser.ts"
import { connected, finishedAnswer, idle, openNewSession, say } from "./support/conversation.ts"
import { assertEqualsHistory } from "./support/equalsHistory.ts"
import { gatewayCall } from "./support/gatewayHistory.ts"
import { useBrowser, useConsole, useGateway } from "./support/useConsole.ts"

const BROKEN = [/WebSocket|ERR_|Failed to load resource/]

const isInterrupted = (page: Page) =>
  page.locator('[data-connection]:not([data-connection="ready"])').waitFor({ state: "attached" })

/** The gateway lives in this process and goes on or away under a living console and page. */
describe.each<Size>(["desktop", "phone"])("what a %s shows after an interruption is the gateway's history", (size) => {
  const gateway = useGateway()
  const console = useConsole(() => gateway.env)
  const browser = useBrowser()
  const look: PageOptions = { size, expectedErrors: BROKEN }

  beforeEach(() => gateway.run((control) => control.start))

  /** A session with one finished turn and one that is being answered. */
  const midAnswer = async (page: Page): Promise<string> => {
    const key = await openNewSession(page, console.url)
    await say(page, "good morning")
    await finishedAnswer(page, "You said: “good morning”")
    await say(page, "slow please")
    await page.locator(".message.is-assistant", { hasText: "Step 1" }).waitFor()
    return key
  }

  it("when connections are cut in the middle of an answer", () =>
    withPage(browser, look, async (page) => {
      const key = await midAnswer(page)
      await gateway.run((control) => control.dropConnections)
      await isInterrupted(page)
      await connected(page)
      // The answer goes on where it was, and is stopped once it is past the gap.
      await page.locator(".message.is-assistant", { hasText: "Step 3" }).waitFor()
      await page.getByRole("button", { name: "Stop the answer" }).click()
      await page.locator(".run-stopped").waitFor()
      await assertEqualsHistory(page, console.url, key)
    }))

  it("when the gateway restarts in the middle of an answer", () =>
    withPage(browser, look, async (page) => {
      const key = await midAnswer(page)
      await gateway.run((control) => control.restart)
      await isInterrupted(page)
      await connected(page)
      await idle(page)
      await assertEqualsHistory(page, console.url, key)
      await say(page, "good evening")
      await finishedAnswer(page, "You said: “good evening”")
      await assertEqualsHistory(page, console.url, key)
    }))

  it("when the gateway lost its memory, and a message behind the answer is given back", () =>
    withPage(browser, look, async (page) => {
      const key = await midAnswer(page)
      await say(page, "and then this")
      await page.locator(".message.is-queued").waitFor()
      await gateway.forget()
      await connected(page)
      await page.locator(".message.is-failed", { hasText: "and then this" }).waitFor()
      await assertEqualsHistory(page, console.url, key)
      assert.strictEqual(await page.locator(".message").count(), 1)
      await keepPicture(page, `forgotten-${size}`)
      await page.getByRole("button", { name: "Send again" }).click()
      await finishedAnswer(page, "You said: “and then this”")
      await assertEqualsHistory(page, console.url, key)
      await page.reload()
      await finishedAnswer(page, "You said: “and then this”")
      await assertEqualsHistory(page, console.url, key)
    }))

  it("when the session was emptied from another page in the middle of an answer", () =>
    withPage(browser, look, async (page) => {
      const key = await midAnswer(page)
      await gatewayCall(console.url, "sessions.reset", { key })
      await idle(page)
      await assertEqualsHistory(page, console.url, key)
    }))

  it("when the gateway was down at first", () =>
    withPage(browser, look, async (page) => {
      await gateway.run((control) => control.stop)
      await page.goto(console.url)
      await page.locator('[data-banner="waiting"]').waitFor()
      await keepPicture(page, `gateway-down-${size}`)
      await gateway.run((control) => control.start)
      await connected(page)
      const key = await openNewSession(page, console.url)
      await say(page, "good morning")
      await finishedAnswer(page, "You said: “good morning”")
      await assertEqualsHistory(page, console.url, key)
    }))
})

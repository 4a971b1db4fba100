import { assert, beforeEach, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import type { GatewayControl } from "../../practice-gateway/src/GatewayControl.ts"
import { keepPicture, type PageOptions, type Size, withPage } from "./support/browser.ts"
import { connected, finishedAnswer, idle, openNewSession, say } from "./support/conversation.ts"
import { assertEqualsHistory } from "./support/equalsHistory.ts"
import { gatewayCall } from "./support/gatewayHistory.ts"
import { useBrowser, useConsole, useGateway } from "./support/useConsole.ts"

const BROKEN = [/WebSocket|ERR_|Failed to load resource/]

const isInterrupted = (page: Page) =>
  page.locator('[data-connection]:not([data-connection="ready"])').waitFor({ state: "attached" })

/** A gateway's process takes a while to start: events of the old one arrive before that. */
const startAnew = ({ start, stop }: GatewayControl) => Effect.andThen(stop, Effect.delay(start, 300))

/** A session with one finished turn and one that is being answered. */
const midAnswerAt = async (page: Page, url: string): Promise<string> => {
  const key = await openNewSession(page, url)
  await say(page, "good morning")
  await finishedAnswer(page, "You said: “good morning”")
  await say(page, "slow please")
  await page.locator(".message.is-assistant", { hasText: "Step 1" }).waitFor()
  return key
}

/** The gateway lives in this process and goes on or away under a living console and page. */
describe.each<Size>(["desktop", "phone"])("what a %s shows after an interruption is the gateway's history", (size) => {
  const gateway = useGateway()
  const console = useConsole(() => gateway.env)
  const browser = useBrowser()
  const look: PageOptions = { size, expectedErrors: BROKEN }

  beforeEach(() => gateway.run((control) => control.start))

  const midAnswer = (page: Page) => midAnswerAt(page, console.url)

  it("when connections are cut in the middle of an answer", () =>
    withPage(browser, look, async (page) => {
      const key = await midAnswer(page)
      await gateway.run((control) => control.dropConnections)
      await isInterrupted(page)
      await connected(page)
      // The answer goes on where it was, and is stopped once it is past the gap.
      await page.locator(".message.is-assistant", { hasText: "Step 3" }).waitFor()
      await page.getByRole("button", { name: "Stop response" }).click()
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

  it("when the gateway lost its memory, and gets the message behind the answer", () =>
    withPage(browser, look, async (page) => {
      const key = await midAnswer(page)
      await say(page, "and then this")
      await page.locator(".message.is-queued").waitFor()
      await gateway.forget()
      await connected(page)
      await finishedAnswer(page, "You said: “and then this”")
      await assertEqualsHistory(page, console.url, key)
      assert.strictEqual(await page.locator(".message").count(), 2)
      await keepPicture(page, `forgotten-${size}`)
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

  it("when the session was deleted from another page, which it says until the next message", () =>
    withPage(browser, look, async (page) => {
      const key = await openNewSession(page, console.url)
      await say(page, "good morning")
      await finishedAnswer(page, "You said: “good morning”")
      await gatewayCall(console.url, "sessions.delete", { key })
      await page.getByText("This conversation was deleted").waitFor()
      await page.getByRole("status").getByRole("button", { name: "New session" }).waitFor()
      await keepPicture(page, `deleted-${size}`)
      await say(page, "good evening")
      await finishedAnswer(page, "You said: “good evening”")
      assert.strictEqual(await page.getByText("This conversation was deleted").count(), 0)
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

describe("an older gateway that is killed in the middle of an answer", () => {
  const gateway = useGateway({ generation: "old" })
  const console = useConsole(() => gateway.env)
  const browser = useBrowser()

  it("leaves the page free, with what was said, and a page that is loaded again, too", () =>
    withPage(browser, { size: "desktop", expectedErrors: BROKEN }, async (page) => {
      await midAnswerAt(page, console.url)
      await say(page, "good evening")
      await page.locator(".message.is-queued").waitFor()
      await gateway.run(startAnew)
      await isInterrupted(page)
      await connected(page)
      await page.locator(".run-error", { hasText: "The gateway restarted" }).waitFor()
      await finishedAnswer(page, "You said: “good evening”")
      assert.strictEqual(await page.locator(".message.is-assistant", { hasText: "Step 1" }).count(), 1)
      await keepPicture(page, "killed-old")
      await say(page, "slow please")
      await page.locator(".message.is-assistant", { hasText: "Step 1" }).nth(1).waitFor()
      await gateway.run(startAnew)
      await page.reload()
      await page.locator(".run-error", { hasText: "The gateway restarted" }).waitFor()
      await idle(page)
      await say(page, "good night")
      await finishedAnswer(page, "You said: “good night”")
    }))
})

import { assert, describe, it } from "@effect/vitest"
import { keepPicture, withPage } from "./support/browser.ts"
import { connected, finishedAnswer, idle, openNewSession, say } from "./support/conversation.ts"
import { assertEqualsHistory } from "./support/equalsHistory.ts"
import { gatewayHistory } from "./support/gatewayHistory.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

describe("after an interruption", () => {
  const console = useConsole()
  const browser = useBrowser()

  it("a reload keeps the session, its history and the unsent text", () =>
    withPage(browser, {}, async (page) => {
      const key = await openNewSession(page, console.url)
      await say(page, "remember this")
      await finishedAnswer(page, "You said: “remember this”")
      await page.locator("#composer").fill("half a thought")
      await page.reload()
      await finishedAnswer(page, "You said: “remember this”")
      assert.strictEqual(await page.locator("#composer").inputValue(), "half a thought")
      await assertEqualsHistory(page, console.url, key)
    }))

  it("a page closed in the middle of an answer leaves it to the agent, and another page shows it whole", () =>
    withPage(browser, {}, async (page) => {
      const closed = await page.context().newPage()
      const key = await openNewSession(closed, console.url)
      // Long enough that a busy machine, too, closes the page in the middle.
      await say(closed, "a long story")
      await closed.locator('[data-activity="STREAMING"]').waitFor()
      await closed.close()
      const early = await gatewayHistory(console.url, key)
      assert.notInclude(early.find(({ role }) => role === "assistant")?.text ?? "", "The end.")
      await page.goto(`${console.url}/chat/${encodeURIComponent(key)}`)
      await finishedAnswer(page, "The end.")
      assert.include((await gatewayHistory(console.url, key)).at(-1)?.text, "The end.")
      assert.strictEqual(await page.locator(".message").count(), 2)
      assert.strictEqual(await page.locator(".run-stopped").count(), 0)
    }))

  it("a dropped connection mid-stream loses and doubles nothing", () => {
    const drops: Array<() => Promise<void>> = []
    let isAway = false
    return withPage(
      browser,
      {
        prepare: (page) =>
          page.routeWebSocket(/\/ws/, async (route) => {
            // Nothing but the button leads back, however long the banner was looked at.
            if (isAway) return route.close({ code: 1011, reason: "dropped" })
            route.connectToServer()
            drops.push(() => route.close({ code: 1011, reason: "dropped" }))
          })
      },
      async (page) => {
        const key = await openNewSession(page, console.url)
        await say(page, "a long story")
        await page.locator(".message.is-assistant", { hasText: "Chapter 2" }).waitFor()
        isAway = true
        for (const drop of drops.splice(0)) await drop()
        await page.locator('[data-banner="waiting"]').waitFor()
        await keepPicture(page, "reconnecting-desktop")
        await page.exposeFunction("clicked", () => {
          isAway = false
        })
        await page.evaluate('document.addEventListener("click", clicked, { capture: true, once: true })')
        await page.getByRole("button", { name: "Reconnect now" }).click()
        await connected(page)
        // The answer goes on where it was, and is stopped once it is well past the gap.
        await page.locator(".message.is-assistant", { hasText: "Chapter 6" }).waitFor()
        await page.getByRole("button", { name: "Stop response" }).click()
        await page.locator(".run-stopped").waitFor()
        await idle(page)
        await assertEqualsHistory(page, console.url, key)
      }
    )
  })

  it("a message that the console refuses is back in its field, also after a reload, and can be sent again", () => {
    const full = "200 messages are waiting in this session already: take some of them back first."
    let isFull = false
    return withPage(
      browser,
      {
        expectedErrors: [/409/],
        prepare: async (page) => {
          await page.route(/\/api\/outbox$/, async (route) => {
            if (isFull && route.request().method() === "POST")
              await route.fulfill({ status: 409, json: { error: "outbox_full", details: full } })
            else await route.fallback()
          })
        }
      },
      async (page) => {
        const key = await openNewSession(page, console.url)
        const composer = page.locator("#composer")
        isFull = true
        await composer.fill("never lose me")
        await composer.press("Enter")
        await page.getByText(`It's back in the message field. ${full}`).waitFor()
        assert.strictEqual(await composer.inputValue(), "never lose me")
        await keepPicture(page, "not-sent-desktop")
        await page.reload()
        await connected(page)
        await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>("#composer")?.value !== "")
        assert.strictEqual(await composer.inputValue(), "never lose me")
        isFull = false
        await composer.press("Enter")
        await finishedAnswer(page, "You said: “never lose me”")
        await assertEqualsHistory(page, console.url, key)
      }
    )
  })

  it("a restarted console is found again by itself and goes on with what its gateway knows", () =>
    withPage(browser, { size: "phone", expectedErrors: [/Failed to load resource|ERR_|WebSocket/] }, async (page) => {
      const key = await openNewSession(page, console.url)
      await say(page, "slow again")
      await page.locator(".message.is-assistant", { hasText: "Step 1" }).waitFor()
      await console.restart()
      await connected(page)
      await idle(page)
      await say(page, "hello again")
      await finishedAnswer(page, "You said: “hello again”")
      // The demo forgets everything when it stops: what was said of the cut answer is on this screen only, and stays there.
      await page.locator(".message.is-assistant", { hasText: "Step 1" }).waitFor()
      await page.getByText("The gateway restarted before the agent").waitFor()
      await page.reload()
      await finishedAnswer(page, "You said: “hello again”")
      await assertEqualsHistory(page, console.url, key)
    }))
})

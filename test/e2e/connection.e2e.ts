import { afterEach, assert, describe, it } from "@effect/vitest"
import { keepPicture, withPage } from "./support/browser.ts"
import { connected, finishedAnswer, openNewSession, say } from "./support/conversation.ts"
import { type RunningConsole, startConsole } from "./support/startConsole.ts"
import { startGateway, type TestGateway } from "./support/startGateway.ts"
import { useBrowser } from "./support/useConsole.ts"

const BROKEN = [/WebSocket|ERR_|Failed to load resource/]
/** More than the longest pause between two attempts. */
const PAUSE_MS = 40_000

describe("what the page says about its connection", () => {
  const browser = useBrowser()
  let gateway: TestGateway | undefined
  let console: RunningConsole | undefined

  const open = async (options: Parameters<typeof startGateway>[0]) => {
    const made = await startGateway(options)
    gateway = made
    const opened = await startConsole(made.env)
    console = opened
    return { gateway: made, url: opened.url }
  }

  afterEach(async () => {
    await console?.stop()
    await gateway?.stop()
  })

  it("a device that waits for approval is told how, and Try again gets it in", async () => {
    const { gateway, url } = await open({ deviceApproval: "manual" })
    await withPage(browser, { size: "phone", expectedErrors: BROKEN }, async (page) => {
      await page.goto(url)
      const banner = page.locator('[data-banner="refused"]')
      await banner.getByText("The gateway refused the connection.").waitFor()
      await banner.getByText(/openclaw devices/).waitFor()
      assert.strictEqual(await banner.locator("input").count(), 0)
      await keepPicture(page, "not-approved-phone")
      assert.isAbove(await gateway.run((control) => control.approveDevices), 0)
      await banner.getByRole("button", { name: "Try again" }).click()
      await connected(page)
      await banner.waitFor({ state: "detached" })
      await openNewSession(page, url)
      await say(page, "let in")
      await finishedAnswer(page, "You said: “let in”")
    })
  })

  it("after fifty attempts it gives up, says so, and tries again when asked", async () => {
    const { url } = await open({})
    let isCut = true
    let attempts = 0
    await withPage(
      browser,
      {
        expectedErrors: BROKEN,
        prepare: async (page) => {
          await page.clock.install()
          await page.routeWebSocket(/\/ws/, async (route) => {
            attempts++
            if (isCut) await route.close({ code: 1011, reason: "cut" })
            else route.connectToServer()
          })
        }
      },
      async (page) => {
        await page.goto(url)
        const gaveUp = page.locator('[data-banner="gaveUp"]')
        for (let attempt = 1; attempt <= 50; attempt++) {
          await page.locator('[data-banner="waiting"], [data-banner="gaveUp"]').waitFor()
          while (attempts < attempt + 1 && (await gaveUp.count()) === 0) await page.clock.fastForward(PAUSE_MS)
        }
        await gaveUp.getByText("No connection after 50 attempts.").waitFor()
        assert.strictEqual(attempts, 50)
        await keepPicture(page, "gave-up-desktop")
        await page.clock.fastForward(10 * PAUSE_MS)
        assert.strictEqual(attempts, 50)
        isCut = false
        await gaveUp.getByRole("button", { name: "Try again" }).click()
        await connected(page)
        await gaveUp.waitFor({ state: "detached" })
      }
    )
  })
})

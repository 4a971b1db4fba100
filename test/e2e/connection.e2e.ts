import { afterEach, assert, describe, it } from "@effect/vitest"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, withPage } from "./support/browser.ts"
import { connected } from "./support/conversation.ts"
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

  it("a page that cannot get in gives the reason the server knows, in every tab and also to one that opens late", async () => {
    const { gateway, url } = await open({})
    const address = gateway.env.GATEWAY_URL
    await gateway.run((control) => control.stop)
    const reason = `Can't reach your gateway at ${address}.`
    for (const size of ["desktop", "phone"] as const) {
      await withPage(browser, { size, expectedErrors: BROKEN }, async (page) => {
        await page.goto(`${url}/board`)
        await page.locator(".banner", { hasText: reason }).waitFor()
        const second = await page.context().newPage()
        for (const tab of [page, second]) await tab.goto(url)
        for (const tab of [page, second]) {
          const list = tab.locator(".sessions-note", { hasText: "once the gateway is connected" })
          await list.waitFor({ state: "attached" })
          assert.strictEqual(await tab.getByText("Loading sessions…").count(), 0)
          assert.strictEqual(await tab.locator(".log-loading").count(), 0)
        }
        assert.deepStrictEqual(await accessProblems(page), [])
        await keepPicture(page, `no-gateway-${size}`)
      })
    }
  })

  it("a page that would wait for ever gets in as soon as the server's link is up", async () => {
    const { gateway, url } = await open({})
    await gateway.run((control) => control.stop)
    /** Long timers never end, so the page does not try again by itself. */
    const holdTimers = () => {
      const real = window.setTimeout
      const held = (handler: TimerHandler, ms?: number, ...rest: ReadonlyArray<unknown>) =>
        ms !== undefined && ms >= 900 ? 0 : real(handler, ms, ...rest)
      Object.defineProperty(window, "setTimeout", { value: held })
    }
    await withPage(
      browser,
      {
        expectedErrors: BROKEN,
        prepare: async (page) => {
          await page.addInitScript(holdTimers)
        }
      },
      async (page) => {
        await page.goto(url)
        await page.locator('[data-banner="waiting"]').waitFor()
        await gateway.run((control) => control.start)
        await connected(page)
      }
    )
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
          // The server's report of its own connection would cause a retry.
          await page.routeWebSocket(/\/api\/live$/, (route) => route.close({ code: 1011, reason: "cut" }))
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

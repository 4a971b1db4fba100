import { assert, describe, it } from "@effect/vitest"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, LOOKS, withPage } from "./support/browser.ts"
import { connected, finishedAnswer, openNewSession, say } from "./support/conversation.ts"
import { startConsole } from "./support/startConsole.ts"
import { startGateway } from "./support/startGateway.ts"
import { useBrowser, useConsole, useGateway } from "./support/useConsole.ts"

const BROKEN = [/WebSocket|ERR_|Failed to load resource/]
const COMMAND = /openclaw devices approve ([\w-]+)/

describe.each(["old", "new"] as const)("a console whose device the %s generation has not approved", (generation) => {
  const browser = useBrowser()

  const withGateway = async (
    run: (gateway: Awaited<ReturnType<typeof startGateway>>, url: string) => Promise<void>
  ) => {
    const gateway = await startGateway({ generation, deviceApproval: "manual" })
    const console = await startConsole(gateway.env)
    try {
      await run(gateway, console.url)
    } finally {
      await console.stop()
      await gateway.stop()
    }
  }

  it("says what to run wherever one looks, and gets in by itself once that was done", () =>
    withGateway((gateway, url) =>
      withPage(browser, { size: "phone", expectedErrors: BROKEN }, async (page) => {
        await page.goto(`${url}/board`)
        const banner = page.locator('[data-banner="unapproved"]')
        const command = banner.locator("code")
        await command.waitFor()
        const requestId = COMMAND.exec((await command.textContent()) ?? "")?.[1] ?? ""
        assert.isNotEmpty(requestId)
        await banner.getByRole("button", { name: "Copy command" }).click()
        await banner.getByRole("button", { name: "Copied" }).waitFor()
        assert.strictEqual(
          await page.evaluate(() => navigator.clipboard.readText()),
          `openclaw devices approve ${requestId}`
        )
        assert.match(await page.title(), /^Offline/)
        assert.strictEqual(await page.getByText(/allow this console/).count(), 0)
        await page.locator("[data-open-sessions]").click()
        await page.locator(".sessions-note", { hasText: "once the gateway is connected" }).waitFor()
        await page.locator('[data-connection="unapproved"]', { hasText: "Waiting for approval" }).waitFor()
        assert.strictEqual(await page.getByText("Connected", { exact: true }).count(), 0)
        await page.goto(`${url}/operations/gateway`)
        await page.locator(".pairing-steps code", { hasText: requestId }).waitFor()
        await page.goto(url)
        await page.locator(".connect-screen code", { hasText: requestId }).waitFor()

        // The page and the server are one device: it asked many times and made one request.
        assert.strictEqual(await gateway.run((control) => control.approveDevices), 1)
        await connected(page)
        await banner.waitFor({ state: "detached" })
        await openNewSession(page, url)
        await say(page, "let in")
        await finishedAnswer(page, "You said: “let in”")
      })
    ))

  if (generation === "new") return

  it("shows the request that takes the place of a rejected one", () =>
    withGateway((gateway, url) =>
      withPage(browser, { expectedErrors: BROKEN }, async (page) => {
        await page.goto(`${url}/board`)
        const command = page.locator('[data-banner="unapproved"] code')
        await command.waitFor()
        const first = await command.textContent()
        assert.strictEqual(await gateway.run((control) => control.rejectDevices), 1)
        await page.waitForFunction(
          (before) => document.querySelector('[data-banner="unapproved"] code')?.textContent !== before,
          first
        )
        assert.match((await command.textContent()) ?? "", COMMAND)
        assert.strictEqual(await gateway.run((control) => control.approveDevices), 1)
        await connected(page)
      })
    ))
})

describe("a console that waits for approval", () => {
  const gateway = useGateway({ generation: "old", deviceApproval: "manual" })
  const console = useConsole(() => gateway.env)
  const browser = useBrowser()

  for (const { size, theme } of LOOKS)
    it(`looks as it should in the ${theme} theme on a ${size}`, () =>
      withPage(browser, { size, theme, expectedErrors: BROKEN }, async (page) => {
        await page.goto(console.url)
        await page.locator(".connect-screen code", { hasText: COMMAND }).waitFor()
        assert.deepStrictEqual(await accessProblems(page), [])
        await keepPicture(page, `unapproved-${theme}-${size}`)
        await page.goto(`${console.url}/operations/gateway`)
        await page.locator(".pairing-steps code").waitFor()
        assert.deepStrictEqual(await accessProblems(page), [])
        await keepPicture(page, `unapproved-gateway-${theme}-${size}`)
      }))
})

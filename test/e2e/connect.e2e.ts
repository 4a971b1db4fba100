import { assert, describe, it } from "@effect/vitest"
import { freePort } from "../support/freePort.ts"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, type Size, withPage } from "./support/browser.ts"
import { finishedAnswer, say } from "./support/conversation.ts"
import { startConsole } from "./support/startConsole.ts"
import { startGateway } from "./support/startGateway.ts"
import { useBrowser } from "./support/useConsole.ts"

const BROKEN = [/WebSocket|ERR_|Failed to load resource/]

describe("a console without a gateway", () => {
  const browser = useBrowser()

  for (const size of ["desktop", "phone"] satisfies ReadonlyArray<Size>)
    it(`is connected on its first screen, after a wrong token, by the address as the product shows it, on a ${size}`, {
      timeout: 90_000
    }, async () => {
      const gateway = await startGateway()
      const console = await startConsole({ GATEWAY_URL: `http://127.0.0.1:${await freePort()}`, GATEWAY_TOKEN: "none" })
      try {
        await withPage(browser, { size, expectedErrors: BROKEN }, async (page) => {
          await page.goto(console.url)
          await page.getByRole("heading", { name: "Connect to your gateway" }).waitFor()
          const rows = page.locator(".connect-screen .gateway-row")
          await rows.first().getByText("Can't be reached").waitFor()
          await rows.first().getByRole("button", { name: "Test again" }).click()
          assert.strictEqual(await page.locator("#composer").count(), 0)
          assert.deepStrictEqual(await accessProblems(page), [])
          await keepPicture(page, `connect-${size}`)

          const connect = page.getByRole("button", { name: "Test and connect" })
          await page.getByLabel("Address", { exact: true }).fill("127.0.0.1:1")
          await page.getByLabel("Token", { exact: true }).fill("wrong")
          await connect.click()
          await page.getByText("Start it with http, https, ws or wss, and add the port.").waitFor()

          await page.getByLabel("Address", { exact: true }).fill(gateway.env.GATEWAY_URL.replace(/^http/, "ws"))
          await connect.click()
          await rows.nth(1).getByText("Refused", { exact: true }).waitFor()
          await page.getByLabel("Token", { exact: true }).fill(gateway.env.GATEWAY_TOKEN)
          await connect.click()
          // The gateway that answers is where the first session begins.
          await page.getByRole("heading", { level: 2, name: /^What should/ }).waitFor()
          await say(page, "We are connected")
          await finishedAnswer(page, "You said: “We are connected”")

          await page.goto(`${console.url}/settings/gateways`)
          await page.getByText("Change address or token").click()
          await page.getByText("agent-console setup", { exact: true }).waitFor()
        })
      } finally {
        await console.stop()
        await gateway.stop()
      }
    })
})

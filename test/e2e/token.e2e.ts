import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { keepPicture, withPage } from "./support/browser.ts"
import { type RemoteProxy, startRemoteProxy } from "./support/remoteProxy.ts"
import { useBrowser, useConsole, useGateway } from "./support/useConsole.ts"

describe("a client from far away that the console does not vouch for", () => {
  const gateway = useGateway()
  const console = useConsole(() => gateway.env)
  const browser = useBrowser()
  let proxy: RemoteProxy

  beforeAll(async () => {
    proxy = await startRemoteProxy(console.url)
  })
  afterAll(() => proxy?.stop())

  it("is asked for the gateway's token, which goes to the gateway and nowhere else", () =>
    // The draft is for trusted clients, too; it comes with the connection.
    withPage(browser, { expectedErrors: [/WebSocket/, /403 \(Forbidden\) .*\/api\/drafts/] }, async (page) => {
      await page.goto(proxy.url)
      const field = page.getByLabel("Gateway token")
      await field.waitFor()
      assert.strictEqual(await field.getAttribute("type"), "password")
      await keepPicture(page, "token")
      const before = (await gateway.run((control) => control.frames)).length
      await field.fill(gateway.env.GATEWAY_TOKEN)
      await page.getByRole("button", { name: "Connect" }).click()
      for (;;) {
        const frames = (await gateway.run((control) => control.frames)).slice(before)
        if (frames.some(({ text }) => text.includes('"connect"') && text.includes(gateway.env.GATEWAY_TOKEN))) break
        await page.waitForTimeout(50)
      }
      const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
      assert.notInclude(kept, gateway.env.GATEWAY_TOKEN)
      assert.notInclude(console.output(), gateway.env.GATEWAY_TOKEN)
    }))
})

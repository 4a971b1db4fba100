import { assert, describe, it, vi } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, LOOKS, withPage } from "./support/browser.ts"
import { connected } from "./support/conversation.ts"
import { useBrowser, useConsole, useGateway } from "./support/useConsole.ts"

describe("agents that use the console as a tool", () => {
  const console = useConsole()
  const browser = useBrowser()

  for (const look of LOOKS)
    it(`get a token in the settings, ask, and are shut out again, on a ${look.size} in ${look.theme}`, () =>
      withPage(browser, look, async (page) => {
        const name = `coder ${look.size} ${look.theme}`
        await page.goto(`${console.url}/settings/agents`)
        await connected(page)
        await page.getByRole("button", { name: "Create token" }).click()
        await page.getByText("Give the agent a name.").waitFor()
        await page.getByRole("textbox", { name: "Name" }).fill(name)
        await page.getByRole("checkbox", { name: /^Change/ }).check()
        assert.deepStrictEqual(await accessProblems(page), [])
        await keepPicture(page, `agents-form-${look.theme}-${look.size}`)
        await page.getByRole("button", { name: "Create token" }).click()
        await page.getByRole("heading", { name: `Token of ${name}` }).waitFor()
        const secret = (await page.locator(".agent-new .command-line code").textContent()) ?? ""
        await page.getByText(`claude mcp add --transport http agent-console ${console.url}/mcp`).waitFor()
        assert.deepStrictEqual(await accessProblems(page), [])
        await keepPicture(page, `agents-token-${look.theme}-${look.size}`)
        const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
        assert.isFalse(wide, "the page scrolls sideways")

        const client = new Client({ name: "test", version: "1.0.0" })
        const requestInit = { headers: { authorization: `Bearer ${secret}` } }
        await client.connect(new StreamableHTTPClientTransport(new URL(`${console.url}/mcp`), { requestInit }))
        await client.callTool({ name: "ask_person", arguments: { question: `May I begin, ${name}?` } })
        const { tools } = await client.listTools()
        assert.include(
          tools.map((tool) => tool.name),
          "claim_task"
        )

        await page.getByRole("button", { name: "Done" }).click()
        await page.locator(".agent-new").waitFor({ state: "detached" })
        await page.reload()
        await page.getByText(/^Last used/).waitFor()
        await page.getByRole("button", { name: `Revoke the token of ${name}` }).click()
        await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click()
        await page.getByText(`${name} can no longer use the console.`).waitFor()
        const refused = await client.listTools().catch((cause: unknown) => String(cause))
        assert.include(String(refused), "a valid token is required")

        await page.goto(`${console.url}/inbox`)
        const item = page.locator("[data-entry]", { hasText: `May I begin, ${name}?` })
        await item.getByText(`Asked by ${name}`).waitFor()
        await keepPicture(page, `agents-question-${look.theme}-${look.size}`)
      }))

  for (const look of LOOKS)
    it(`of the gateway get the board after a question, and lose it again, on a ${look.size} in ${look.theme}`, () =>
      withPage(browser, { ...look, expectedErrors: [/status of 400 .*\/api\/mcp\/gateway/] }, async (page) => {
        await page.goto(`${console.url}/settings/agents`)
        await connected(page)
        const section = page.getByRole("region", { name: "The gateway's own agents" })
        const dialog = page.getByRole("dialog")
        const offer = section.getByRole("button", { name: "Let them use the board" })
        await offer.click()
        await dialog.getByText(/adds the server agent-console with it to the gateway's configuration/).waitFor()
        assert.deepStrictEqual(await accessProblems(page), [])
        await keepPicture(page, `agents-gateway-question-${look.theme}-${look.size}`)
        await dialog.getByRole("button", { name: "Cancel" }).click()
        await dialog.waitFor({ state: "detached" })
        assert.strictEqual(await page.getByRole("button", { name: "Revoke the token of gateway" }).count(), 0)

        await offer.click()
        const address = dialog.getByRole("textbox", { name: "This console's address" })
        await address.fill("nowhere")
        await dialog.getByRole("button", { name: "Add to the gateway" }).click()
        await dialog.getByText(/must be an address such as/).waitFor()
        await address.fill(`${console.url}/`)
        await dialog.getByRole("button", { name: "Add to the gateway" }).click()
        await page.getByText("The gateway's agents can use the board now.").waitFor()
        await section.getByText(`It reaches this console at ${console.url}.`).waitFor()
        await page.getByRole("button", { name: "Revoke the token of gateway" }).waitFor()
        assert.deepStrictEqual(await accessProblems(page), [])
        await keepPicture(page, `agents-gateway-on-${look.theme}-${look.size}`)
        const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
        assert.isFalse(wide, "the page scrolls sideways")

        await page.reload()
        await section.getByRole("button", { name: "Remove from the gateway" }).click()
        await dialog.getByText(/its token is revoked/).waitFor()
        await dialog.getByRole("button", { name: "Remove" }).click()
        await page.getByText("The gateway's agents can no longer use the board.").waitFor()
        await offer.waitFor()
        await page.getByRole("button", { name: "Revoke the token of gateway" }).waitFor({ state: "detached" })
      }))
})

describe("agents of an older gateway", () => {
  const gateway = useGateway({ generation: "old" })
  const console = useConsole(() => gateway.env)
  const browser = useBrowser()

  it("can't have the board, and a gateway that went away is asked again", () =>
    withPage(browser, { expectedErrors: [/ERR_/, /WebSocket/, /status of 5\d\d/] }, async (page) => {
      await page.goto(`${console.url}/settings/agents`)
      await connected(page)
      const section = page.getByRole("region", { name: "The gateway's own agents" })
      await section.getByText(/This gateway can't give its agents tools from outside/).waitFor()
      assert.strictEqual(await section.getByRole("button").count(), 0)
      await gateway.run((control) => control.stop)
      await page.reload()
      await section.getByText(/^Couldn't ask the gateway\./).waitFor()
      await gateway.run((control) => control.start)
      const isBack = async () => assert.isTrue((await fetch(`${console.url}/api/mcp/gateway`)).ok)
      await vi.waitFor(isBack, { timeout: 30_000, interval: 1_000 })
      await section.getByRole("button", { name: "Ask again" }).click()
      await section.getByText(/This gateway can't give its agents tools from outside/).waitFor()
    }))
})

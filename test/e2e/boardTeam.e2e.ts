import { hostname } from "node:os"
import { afterAll, beforeAll, describe, it } from "@effect/vitest"
import { freePort } from "../support/freePort.ts"
import { hasPostgres, makePostgres, NEEDS_POSTGRES, type PostgresServer } from "../support/postgres.ts"
import { boardCalls } from "./support/boardCalls.ts"
import { withPage } from "./support/browser.ts"
import { heldAgent } from "./support/heldAgent.ts"
import { useBrowser, useConsole, useGateway } from "./support/useConsole.ts"

describe.skipIf(!hasPostgres)(`a board of two people's consoles (${NEEDS_POSTGRES})`, () => {
  let server: PostgresServer | undefined
  beforeAll(async () => {
    server = await makePostgres(await freePort())
    await server.start()
  })
  afterAll(() => server?.remove())
  const { agent, letGo } = heldAgent()
  const gateway = useGateway({ agent })
  const consoleOf = (name: string) =>
    useConsole(() => ({ ...gateway.env, BOARD_URL: server?.url("postgres") ?? "", SVC_USER_NAME: name }))
  const ada = consoleOf("Ada")
  const ben = consoleOf("Ben")
  const browser = useBrowser()

  it("shows each what the other does, who did it, and where the agent works", () =>
    withPage(browser, {}, (page) =>
      withPage(browser, {}, async (other) => {
        const card = await boardCalls(ada).create({ title: "hold on, please" })
        await page.goto(`${ada.url}/board/${card.id}`)
        await other.goto(`${ben.url}/board/${card.id}`)
        await page.getByRole("button", { name: "Run with an agent" }).click()
        const panel = other.locator(".side-panel")
        await panel.getByText("The agent is working").waitFor()
        const { port } = new URL(gateway.env.GATEWAY_URL)
        await panel.getByText(`Console ${hostname()}, gateway ${hostname()}:${port}`, { exact: true }).waitFor()
        await other.locator(".card-state", { hasText: `Working on ${hostname()}` }).waitFor()
        letGo()
        await panel.getByRole("button", { name: "Approve" }).click()
        await page.locator(".task-history summary").click()
        const history = page.locator(".task-history li")
        for (const said of ["Adacreated this card", "Adagave it to the agent", "Benapproved it"]) {
          await history.filter({ hasText: said }).waitFor()
        }
      })
    ))
})

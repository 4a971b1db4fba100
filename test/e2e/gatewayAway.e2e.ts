import { connect, createServer, type Server, type Socket } from "node:net"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { freePort } from "../support/freePort.ts"
import { withPage } from "./support/browser.ts"
import { connected } from "./support/conversation.ts"
import { SCREENS } from "./support/screens.ts"
import { type RunningConsole, startConsole } from "./support/startConsole.ts"
import { startGateway, type TestGateway } from "./support/startGateway.ts"
import { useBrowser } from "./support/useConsole.ts"

const BROKEN = [/WebSocket|ERR_|Failed to load resource/]

/** A door in front of a gateway: shut, open without anybody behind it, or leading in. */
const makeDoor = async (target: number) => {
  const port = await freePort()
  const sockets = new Set<Socket>()
  let server: Server | undefined
  let leadsIn = false
  const enter = (socket: Socket) => {
    sockets.add(socket)
    socket.on("error", () => socket.destroy())
    if (!leadsIn) return
    const inner = connect(target, "127.0.0.1")
    inner.on("error", () => socket.destroy())
    socket.on("close", () => inner.destroy())
    inner.on("close", () => socket.destroy())
    socket.pipe(inner).pipe(socket)
  }
  const listen = () =>
    new Promise<void>((resolve) => {
      server = createServer(enter)
      server.listen(port, "127.0.0.1", resolve)
    })
  const shut = async () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    const old = server
    server = undefined
    if (old !== undefined) await new Promise((resolve) => old.close(resolve))
  }
  return {
    url: `http://127.0.0.1:${port}`,
    shut,
    hang: async () => {
      await shut()
      leadsIn = false
      await listen()
    },
    open: async () => {
      await shut()
      leadsIn = true
      await listen()
    }
  }
}

/** Nothing on the page promises to be there in a moment. */
const noSpinner = async (page: Page) => {
  // Each part of a screen may have one.
  await page.waitForFunction(() => document.querySelector("main .state.is-loading, main .log-loading") === null)
  await page.waitForFunction(() => !/Loading (sessions|models|jobs)/.test(document.body.textContent ?? ""))
}

/** A page says only after some seconds that nothing answers; its clock goes ahead until it does. */
const saysSo = async (page: Page, text?: RegExp) => {
  const banner = page.locator(".banner, .connect-screen", text === undefined ? {} : { hasText: text }).first()
  while (!(await banner.isVisible())) await page.clock.fastForward(500)
}

describe("a gateway that's away when the page opens", () => {
  const browser = useBrowser()
  let gateway: TestGateway
  let door: Awaited<ReturnType<typeof makeDoor>>
  let console: RunningConsole | undefined

  beforeAll(async () => {
    gateway = await startGateway({})
    door = await makeDoor(Number(new URL(gateway.env.GATEWAY_URL).port))
  })
  afterEach(async () => {
    await console?.stop()
    await door.shut()
  })
  afterAll(() => gateway.stop())

  it.each([
    ["refuses", () => door.shut(), /Can't reach your gateway at /],
    [
      "accepts and says nothing",
      () => door.hang(),
      /(hasn't responded yet.*[Cc]heck that it's running|Can't reach your gateway at )/
    ],
    [
      "is still starting",
      async () => {
        await gateway.run((control) => control.startingFor("1 hour"))
        await door.open()
      },
      /The gateway is still starting\./
    ]
  ] as const)(
    "%s: every screen says why and what to do, and comes back by itself",
    async (_name, goAway, reason) => {
      await goAway()
      const started = await startConsole({ ...gateway.env, GATEWAY_URL: door.url })
      console = started
      await withPage(browser, { expectedErrors: BROKEN, prepare: (page) => page.clock.install() }, async (page) => {
        for (const path of SCREENS) {
          await page.goto(started.url + path)
          await saysSo(
            page,
            /Can't reach your gateway|[Cc]heck that it's running|still starting|Connect to your gateway/
          )
          await noSpinner(page)
        }
        assert.match((await page.locator(".banner").textContent()) ?? "", reason)

        const tabs = [page]
        for (const path of ["/operations/crons", "/operations/gateway", "/board", "/chat/agent:main:main"]) {
          const tab = await page.context().newPage()
          await tab.goto(started.url + path)
          await saysSo(tab)
          tabs.push(tab)
        }
        await gateway.run((control) => control.startingFor(0))
        await door.open()
        for (const tab of tabs) {
          await tab.bringToFront()
          await connected(tab)
          await tab.locator(".banner").waitFor({ state: "detached" })
          await tab.locator("main .is-error, main [role=alert]").first().waitFor({ state: "detached" })
          await noSpinner(tab)
        }
      })
    },
    240_000
  )
})

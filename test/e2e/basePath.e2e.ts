import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import type { Page } from "playwright-core"
import { hashPassword } from "../../src/services/access/auth/passwordHash.ts"
import { freePort } from "../support/freePort.ts"
import { belowPath, isInstalled, PROXIES, startProxy } from "../support/targets/proxies.ts"
import { keepPicture, withPage } from "./support/browser.ts"
import { connected, finishedAnswer, say } from "./support/conversation.ts"
import { useConsole, useWholeBrowser } from "./support/useConsole.ts"

const BASE = "/console"
const PASSWORD = "correct horse battery staple"
const passwordHash = await Effect.runPromise(hashPassword(PASSWORD))

const expectedErrors = [/status of 401/, /ERR_INTERNET_DISCONNECTED|ERR_FAILED/, /WebSocket connection/]

const pathOf = (page: Page) => decodeURIComponent(new URL(page.url()).pathname)

/** Signs in, chats, adds a card, reloads at its address, and looks at the console without a network. */
const wholeRound = async (page: Page, origin: string) => {
  const elsewhere: Array<string> = []
  page.on("request", (request) => {
    const { origin: asked, pathname } = new URL(request.url())
    if (asked === origin && !pathname.startsWith(`${BASE}/`)) elsewhere.push(pathname)
  })

  await page.goto(`${origin}${BASE}/board`)
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD)
  await page.getByRole("button", { name: "Sign in" }).click()
  await connected(page)
  assert.strictEqual(pathOf(page), `${BASE}/board`)
  const [cookie] = await page.context().cookies(`${origin}${BASE}/`)
  assert.strictEqual(cookie?.path, BASE)

  const screens = page.getByRole("navigation", { name: "Screens" })
  await screens.getByRole("link", { name: "Chat" }).click()
  await page.locator(".sessions-head").getByRole("button", { name: "New session" }).click()
  await page.waitForURL((now) => now.pathname.startsWith(`${BASE}/chat/`) && now.pathname.includes("dashboard"))
  await say(page, "Good morning")
  await finishedAnswer(page, /.+/)
  await page.goBack()
  await page.goForward()
  await page.locator(".message.is-user", { hasText: "Good morning" }).waitFor()

  await screens.getByRole("link", { name: "Board" }).click()
  await page.getByRole("link", { name: "New card" }).first().click()
  const title = `A card behind ${new URL(origin).port}`
  await page.locator("#task-title").fill(title)
  await page.keyboard.press("Control+Enter")
  const card = page.locator("a.card-title", { hasText: title })
  await card.waitFor()
  assert.match((await card.getAttribute("href")) ?? "", /^\/console\/board\/[^/]+$/)
  await card.click()
  await page.waitForURL((now) => /^\/console\/board\/[^/]+$/.test(now.pathname))
  const address = page.url()
  await page.reload()
  await connected(page)
  assert.strictEqual(page.url(), address)
  await page.locator(".side-panel", { hasText: title }).waitFor()

  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)
  assert.strictEqual(scope, `${origin}${BASE}/`)
  await page.evaluate(async (path) => {
    while ((await caches.match(path)) === undefined) await new Promise((resolve) => setTimeout(resolve, 50))
  }, `${BASE}/offline.html`)
  await page.context().setOffline(true)
  await page.reload()
  await page.getByRole("heading", { name: "Can't reach the console" }).waitFor()
  await page.waitForFunction(() => (document.querySelector("img")?.naturalWidth ?? 0) > 0)
  await keepPicture(page, "offline-below-a-path")
  await page.context().setOffline(false)
  await connected(page)
  assert.strictEqual(page.url(), address)
  assert.deepStrictEqual(elsewhere, [])
}

describe("a console below a path", () => {
  const ports = new Map<string, number>()
  const origins = () => [...ports.values()].map((port) => `http://127.0.0.1:${port}`).join(",")
  beforeAll(async () => {
    for (const { name } of PROXIES) ports.set(name, await freePort())
  })
  const console = useConsole(() => ({
    BASE_PATH: BASE,
    SVC_AUTH: "true",
    SVC_PASSWORD_HASH: passwordHash,
    ALLOWED_ORIGINS: origins()
  }))
  const browser = useWholeBrowser()
  const scope = Scope.makeUnsafe()
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  it("is whole when it's opened directly", () =>
    withPage(browser, { serviceWorkers: "allow", expectedErrors }, (page) => wholeRound(page, console.url)))

  for (const proxy of PROXIES) {
    it.skipIf(!isInstalled(proxy))(`is whole behind ${proxy.name} (needs ${proxy.program})`, async () => {
      const port = await Effect.runPromise(
        Scope.provide(startProxy(proxy, console.port, { change: belowPath, port: ports.get(proxy.name) }), scope)
      )
      await withPage(browser, { serviceWorkers: "allow", expectedErrors }, (page) =>
        wholeRound(page, `http://127.0.0.1:${port}`)
      )
    })
  }
})

import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, withPage } from "./support/browser.ts"
import { connected, openNewSession, say } from "./support/conversation.ts"
import { heldAgent } from "./support/heldAgent.ts"
import { useConsole, useGateway, useWholeBrowser } from "./support/useConsole.ts"

const OFFLINE = /ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket connection/

const controlled = (page: Page) => page.waitForFunction(() => navigator.serviceWorker.controller !== null)

/** As on phones, where a page cannot show a notification itself. */
const onlyWorkerNotifications = async (page: Page) => {
  await page.context().addInitScript(() => {
    window.Notification = new Proxy(Notification, {
      construct: () => {
        throw new TypeError("Illegal constructor")
      }
    })
  })
}

/** Paths of everything the worker keeps. */
const kept = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(async () => {
    const paths: Array<string> = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) paths.push(new URL(request.url).pathname)
    }
    return paths
  })

describe("the installed app", () => {
  const { agent, letGo } = heldAgent()
  const gateway = useGateway({ agent })
  const console = useConsole(() => gateway.env)
  const browser = useWholeBrowser()

  const open = async (page: Page) => {
    await page.goto(console.url)
    await connected(page)
    await controlled(page)
  }

  it("can be installed", () =>
    withPage(browser, { serviceWorkers: "allow" }, async (page) => {
      await open(page)
      const session = await page.context().newCDPSession(page)
      const { installabilityErrors } = await session.send("Page.getInstallabilityErrors")
      // The browser of the tests has no profile, which is all that may be in the way.
      assert.deepStrictEqual(
        installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito"),
        []
      )
    }))

  it("keeps the files of the shell and nothing of the API, and answers with them", () =>
    withPage(browser, { serviceWorkers: "allow" }, async (page) => {
      await open(page)
      const paths = await kept(page)
      assert.isTrue(paths.includes("/offline.html"))
      assert.isTrue(paths.some((path) => /^\/assets\/index-.*\.js$/.test(path)))
      assert.isTrue(paths.some((path) => /^\/assets\/index-.*\.css$/.test(path)))
      assert.isFalse(paths.some((path) => /^\/(api|ws|health)|^\/$/.test(path)))
      await page.reload()
      await connected(page)
      const fromWorker = await page.evaluate(() =>
        performance
          .getEntriesByType("resource")
          .filter((entry) => /\/assets\/index-.*\.js$/.test(entry.name))
          .map((entry) => entry instanceof PerformanceResourceTiming && entry.workerStart > 0)
      )
      assert.deepStrictEqual(fromWorker, [true])
    }))

  it("shows a page of its own while the console is not reachable, and comes back by itself", () =>
    withPage(browser, { serviceWorkers: "allow", size: "phone", expectedErrors: [OFFLINE] }, async (page) => {
      await open(page)
      const path = new URL(page.url()).pathname
      await page.context().setOffline(true)
      await page.reload()
      await page.getByRole("heading", { name: "Can't reach the console" }).waitFor()
      assert.strictEqual(new URL(page.url()).pathname, path)
      assert.deepStrictEqual(await accessProblems(page), [])
      await keepPicture(page, "offline-light-phone")
      await page.context().setOffline(false)
      await connected(page)
    }))

  it("has that page in the language of the page", () =>
    withPage(browser, { serviceWorkers: "allow", locale: "de-AT", expectedErrors: [OFFLINE] }, async (page) => {
      await page.goto(console.url)
      await controlled(page)
      await page.reload()
      await page.waitForFunction(async () => (await caches.match("/languages/de.js")) !== undefined)
      await page.context().setOffline(true)
      await page.reload()
      await page.getByRole("heading", { name: "Die Konsole ist nicht erreichbar" }).waitFor()
      await page.getByRole("link", { name: "Erneut versuchen" }).waitFor()
    }))

  it("leads from a phone's notification to the conversation, in the page that is open", () =>
    withPage(browser, { serviceWorkers: "allow", size: "phone", prepare: onlyWorkerNotifications }, async (page) => {
      await page.context().grantPermissions(["notifications"], { origin: console.url })
      await page.goto(`${console.url}/settings/notifications`)
      await connected(page)
      await controlled(page)
      await page.getByRole("switch", { name: "Notify me" }).check()
      const session = await openNewSession(page, console.url)
      await say(page, "hold on, please")
      await page.locator(".message.is-assistant", { hasText: "at it" }).waitFor()
      await page.goto(`${console.url}/board`)
      await connected(page)
      letGo()
      const shown = () =>
        page.evaluate(async () => {
          const worker = await navigator.serviceWorker.ready
          return (await worker.getNotifications()).map(({ data, tag }) => ({ tag, path: data.path }))
        })
      await page.evaluate(async () => {
        const worker = await navigator.serviceWorker.ready
        while ((await worker.getNotifications()).length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
      })
      assert.deepStrictEqual(await shown(), [{ tag: session, path: `/chat/${session}` }])

      const [worker] = page.context().serviceWorkers()
      // No test can tap what the system shows, so the worker gets the event that a tap sends.
      await worker?.evaluate(`registration.getNotifications().then(([notification]) => {
        dispatchEvent(new NotificationEvent("notificationclick", { notification }))
      })`)
      await page.waitForURL((url) => decodeURIComponent(url.pathname) === `/chat/${session}`)
      await page.locator(".message.is-user", { hasText: "hold on, please" }).waitFor()
      assert.deepStrictEqual(await shown(), [])
    }))

  it("a path below /assets/ that is not there stays a 404, also through the worker", () =>
    withPage(browser, { serviceWorkers: "allow", expectedErrors: [/404/] }, async (page) => {
      await open(page)
      const status = (path: string) => page.evaluate((to) => fetch(to).then((answer) => answer.status), path)
      assert.strictEqual(await status("/assets/nothing-12345678.js"), 404)
      assert.strictEqual(await status("/api/nothing"), 404)
      assert.isFalse((await kept(page)).includes("/assets/nothing-12345678.js"))
    }))

  it("a new version takes over with a notice", () =>
    withPage(browser, { serviceWorkers: "allow" }, async (page) => {
      await open(page)
      // A worker of another address takes the place of the one there is, as a new build's does.
      await page.evaluate(() => navigator.serviceWorker.register("/sw.js?next").then(() => true))
      await page.getByText("A new version is available.").waitFor()
      await page.getByRole("button", { name: "Reload" }).click()
      await connected(page)
    }))

  it("keeps what an earlier version kept until its tabs are gone, and no longer", () =>
    withPage(browser, { serviceWorkers: "allow" }, async (old) => {
      await open(old)
      const names = (page: Page) => page.evaluate(() => caches.keys().then((keys) => keys.toSorted()))
      const part = await old.evaluate(async () => {
        const worker = await fetch("/sw.js").then((answer) => answer.text())
        const paths: ReadonlyArray<string> = JSON.parse(/const LATER = (.*)/.exec(worker)?.[1] ?? "[]")
        while (paths.some((path) => path.endsWith(".js")) && (await caches.match(paths.at(-1) ?? "")) === undefined)
          await new Promise((resolve) => setTimeout(resolve, 50))
        return paths.find((path) => path.includes("Board") && path.endsWith(".js")) ?? ""
      })
      const [first] = await names(old)
      // The next build's worker: its parts have other names, so what the old tab needs is only in the old cache.
      await old.context().route("**/sw.js*", async (route) => {
        const source = await (await route.fetch()).text()
        await route.fulfill({
          contentType: "text/javascript",
          body: source
            .replace(/const CACHE = .*/, 'const CACHE = "shell-next"')
            .replace(/const LATER = .*/, "const LATER = []")
        })
      })
      await old.evaluate(() => navigator.serviceWorker.register("/sw.js?next").then(() => true))
      await old.getByText("A new version is available.").waitFor()
      assert.deepStrictEqual(await names(old), [first, "shell-next"].toSorted())
      await old.context().route(`**${part}`, (route) => route.abort())
      assert.strictEqual(await old.evaluate((path) => fetch(path).then((answer) => answer.status), part), 200)

      // A page of the new version asks for its parts, and by then nobody needs the old ones.
      const next = await old.context().newPage()
      await next.goto(console.url)
      // Chromium lets no page whose worker a test wrote connect to this machine, so its link is no sign.
      await next.locator("#composer").waitFor()
      assert.include(await names(next), first)
      await old.goto("about:blank")
      await next.evaluate(async () => {
        const { active } = await navigator.serviceWorker.ready
        while ((await caches.keys()).length > 1) {
          active?.postMessage({ type: "keepAll" })
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
      })
      assert.deepStrictEqual(await names(next), ["shell-next"])
    }))

  it("opens a screen offline that was never open before", () =>
    withPage(browser, { serviceWorkers: "allow", expectedErrors: [OFFLINE] }, async (page) => {
      await open(page)
      const later = await page.evaluate(async () => {
        const worker = await fetch("/sw.js").then((answer) => answer.text())
        const paths: ReadonlyArray<string> = JSON.parse(/const LATER = (.*)/.exec(worker)?.[1] ?? "[]")
        const missing = async () => (await Promise.all(paths.map((path) => caches.match(path)))).includes(undefined)
        while (await missing()) await new Promise((resolve) => setTimeout(resolve, 50))
        return paths.length
      })
      assert.isAbove(later, 20)
      assert.isFalse((await kept(page)).some((path) => /^\/assets\/pdf-|\.(mjs|woff2|ttf|wasm)$/.test(path)))
      await page.context().setOffline(true)
      for (const name of ["Board", "Knowledge", "Operations", "Settings"]) {
        await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name }).click()
        await page.getByRole("heading", { level: 1, name }).waitFor()
        await page.locator("#main > .state").waitFor({ state: "detached" })
      }
      assert.strictEqual(await page.getByText("A new version is available.").count(), 0)
      await page.context().setOffline(false)
      await connected(page)
    }))
})

describe("a page whose parts are not all there", () => {
  const console = useConsole()
  const browser = useWholeBrowser()

  const openBoard = (page: Page) =>
    page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Board" }).click()

  it("says while offline that a screen comes later, and opens it by itself with its styles", () =>
    withPage(browser, { expectedErrors: [OFFLINE, /preload|imported module/] }, async (page) => {
      await page.goto(console.url)
      await connected(page)
      await page.context().setOffline(true)
      await openBoard(page)
      await page.getByText("It opens when the console can be reached again.").waitFor()
      assert.strictEqual(await page.getByText("A new version is available.").count(), 0)
      await page.context().setOffline(false)
      await page.locator(".board-screen").waitFor()
      await page.waitForFunction(() => {
        const board = document.querySelector(".board-main")
        return board !== null && getComputedStyle(board).display === "flex"
      })
    }))

  it.each(["/", "/board", "/knowledge", "/operations/crons", "/settings"])(
    "says at once on %s that the device is offline, in one banner, and reconnects at once",
    (path) =>
      withPage(browser, { expectedErrors: [OFFLINE] }, async (page) => {
        await page.goto(`${console.url}${path}`)
        await connected(page)
        if (path === "/") {
          await openNewSession(page, console.url)
          await say(page, "slow please")
          await page.locator(".message.is-assistant", { hasText: "Step 1" }).waitFor()
        }
        await page.context().setOffline(true)
        await page.locator(".banner", { hasText: "This device is offline." }).waitFor({ timeout: 2_000 })
        if (path === "/")
          await page.locator(".activity", { hasText: "Waiting for the connection" }).waitFor({ timeout: 2_000 })
        assert.strictEqual(await page.locator(".banner, .stale-note").count(), 1)
        await page.context().setOffline(false)
        await page.locator('[data-connection="ready"]').waitFor({ state: "attached", timeout: 2_000 })
        await page.locator(".banner").waitFor({ state: "detached" })
      })
  )

  it("claims neither work nor waiting of a tool while the device is offline", () =>
    withPage(browser, { expectedErrors: [OFFLINE] }, async (page) => {
      await page.goto(console.url)
      await connected(page)
      await openNewSession(page, console.url)
      await say(page, "approve this please")
      const card = page.locator(".tool").last()
      await card.locator(".tool-status", { hasText: "Waiting for you" }).waitFor()
      await card.locator(".tool-time").waitFor({ state: "attached" })
      await page.context().setOffline(true)
      await card.locator(".tool-status", { hasText: "Connection lost" }).waitFor({ timeout: 2_000 })
      assert.strictEqual(await card.locator(".tool-time").count(), 0)
      await page.locator(".activity", { hasText: "Waiting for the connection" }).waitFor()
      await page.context().setOffline(false)
      await card.locator(".tool-status", { hasText: "Waiting for you" }).waitFor()
      await card.locator(".tool-time").waitFor({ state: "attached" })
      await page.locator(".activity", { hasText: "Waiting for you" }).waitFor()
    }))

  it("says that the server is of another build, and loads itself again once nothing is typed", () =>
    withPage(browser, {}, async (page) => {
      const isFresh = () => page.evaluate(() => !("isOld" in window))
      const fromAnotherBuild = () =>
        page.route("**/api/**", async (route) => {
          // The page may be gone before the answer is there.
          const response = await route.fetch().catch(() => null)
          if (response === null) return
          const headers = { ...response.headers(), "x-console-build": "next" }
          await route.fulfill({ response, headers }).catch(() => {})
        })
      await page.goto(console.url)
      await connected(page)
      await page.evaluate(() => Object.assign(window, { isOld: true }))
      const words = page.locator(".composer textarea")
      // Any answer of another build loads the page again while nothing is typed.
      await words.fill("Not sent")
      await fromAnotherBuild()
      await words.fill("Not sent yet")
      await page.getByText("A new version is available.").waitFor()
      assert.isFalse(await isFresh())
      await words.fill("")
      await openBoard(page)
      await page.waitForFunction(() => !("isOld" in window))
      await page.locator(".board-screen").waitFor()
      await page.unrouteAll({ behavior: "ignoreErrors" })
    }))

  it("announces a new version when the server has other files by now", () =>
    withPage(browser, { expectedErrors: [/404/, /imported module/] }, async (page) => {
      await page.goto(console.url)
      await connected(page)
      await page.route("**/assets/BoardScreen*.js", (route) => route.fulfill({ status: 404, body: "" }))
      await page.route(`${console.url}/`, (route) => route.fulfill({ body: '<script src="/assets/index-next.js">' }))
      await openBoard(page)
      await page.getByText("A new version is available.").waitFor()
      await page.unrouteAll()
      await page.getByRole("main").getByRole("button", { name: "Reload" }).click()
      await page.locator(".board-screen").waitFor()
    }))
})

import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, withPage } from "./support/browser.ts"
import { connected, openNewSession, say } from "./support/conversation.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

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
  const console = useConsole()
  const browser = useBrowser()

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
      await page.getByRole("heading", { name: "The console cannot be reached" }).waitFor()
      assert.strictEqual(new URL(page.url()).pathname, path)
      assert.deepStrictEqual(await accessProblems(page), [])
      await keepPicture(page, "offline-light-phone")
      await page.context().setOffline(false)
      await connected(page)
    }))

  it("leads from a phone's notification to the conversation, in the page that is open", () =>
    withPage(browser, { serviceWorkers: "allow", size: "phone", prepare: onlyWorkerNotifications }, async (page) => {
      await page.context().grantPermissions(["notifications"], { origin: console.url })
      await page.goto(`${console.url}/settings/notifications`)
      await connected(page)
      await controlled(page)
      await page.getByRole("switch", { name: "Notify me" }).check()
      const session = await openNewSession(page, console.url)
      await say(page, "slow, please")
      await page.locator('#log[aria-busy="true"]').waitFor({ state: "attached" })
      await page.goto(`${console.url}/board`)
      await connected(page)
      const shown = () =>
        page.evaluate(async () => {
          const worker = await navigator.serviceWorker.ready
          return (await worker.getNotifications()).map(({ data, tag }) => ({ tag, path: data.path }))
        })
      await page.evaluate(async () => {
        const worker = await navigator.serviceWorker.ready
        while ((await worker.getNotifications()).length === 0) await new Promise(requestAnimationFrame)
      })
      assert.deepStrictEqual(await shown(), [{ tag: session, path: `/chat/${session}` }])

      const [worker] = page.context().serviceWorkers()
      // No test can tap what the system shows, so the worker gets the event that a tap sends.
      await worker?.evaluate(`registration.getNotifications().then(([notification]) => {
        dispatchEvent(new NotificationEvent("notificationclick", { notification }))
      })`)
      await page.waitForURL((url) => decodeURIComponent(url.pathname) === `/chat/${session}`)
      await page.locator(".message.is-user", { hasText: "slow, please" }).waitFor()
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
      await page.getByText("A new version of the console is there.").waitFor()
      await page.getByRole("button", { name: "Reload" }).click()
      await connected(page)
    }))
})

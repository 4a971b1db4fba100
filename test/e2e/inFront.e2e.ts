import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, SIZES, withPage } from "./support/browser.ts"
import { connected } from "./support/conversation.ts"
import { type Between, type RemoteProxy, startRemoteProxy } from "./support/remoteProxy.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

const PAGE = "<!doctype html><title>Guest network</title><h1>Sign in to go on</h1>"
const page =
  (status: number): Between =>
  () => ({ status, headers: { "content-type": "text/html" }, body: PAGE })
const elsewhere: Between = () => ({ status: 302, headers: { location: "http://login.test/" }, body: "" })

/** What the browser says of answers that aren't the console's, and what it can't open. */
const expectedErrors = [
  /status of (401|404)/,
  /WebSocket connection/,
  /MIME type/,
  /ERR_/,
  /imported module/,
  /preload/,
  /EventSource/,
  /Content Security Policy|^policy: script-src-elem|^policy: connect-src|^policy: img-src \S+\/icon\.svg/,
  /Service ?Worker/i,
  /Refused to apply style/
]
const BETWEEN = "Something between this browser and the console answers in its place."

describe("behind something that answers in the console's place", () => {
  const console = useConsole()
  const browser = useBrowser()
  let proxy: RemoteProxy
  beforeAll(async () => {
    proxy = await startRemoteProxy(console.url, "127.0.0.1")
  })
  afterAll(() => proxy.stop())

  const openBoard = (at: Page) =>
    at.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Board" }).click()
  const later = (at: Page): Promise<ReadonlyArray<string>> =>
    at.evaluate(async () => {
      const worker = await fetch("/sw.js").then((answer) => answer.text())
      return JSON.parse(/const LATER = (.*)/.exec(worker)?.[1] ?? "[]")
    })

  it("keeps none of its pages as a part of the app, and opens every screen once it's gone", () =>
    withPage(browser, { serviceWorkers: "allow", expectedErrors }, async (at) => {
      proxy.putBetween(undefined)
      await at.goto(proxy.url)
      await connected(at)
      await at.waitForFunction(() => navigator.serviceWorker.controller !== null)
      const paths = await later(at)
      // As when it begins to answer while the worker keeps the parts: all that isn't here comes from it.
      await at.evaluate(async (some) => {
        // The worker would go on with those that are still to come.
        const isMissing = async () => (await Promise.all(some.map((path) => caches.match(path)))).includes(undefined)
        while (await isMissing()) await new Promise((resolve) => setTimeout(resolve, 50))
        for (const name of await caches.keys()) {
          const cache = await caches.open(name)
          for (const path of some) await cache.delete(path)
        }
      }, paths)
      proxy.putBetween(page(200))
      const statuses = await at.evaluate(
        (some) =>
          Promise.all(
            some.map((path) =>
              fetch(path, { cache: "no-store" }).then(
                (answer) => answer.headers.get("content-type"),
                () => "none"
              )
            )
          ),
        paths
      )
      assert.deepStrictEqual([...new Set(statuses)], ["none"])
      proxy.putBetween(undefined)
      await at.reload()
      await connected(at)
      for (const name of ["Board", "Knowledge", "Operations", "Settings"]) {
        await at.getByRole("navigation", { name: "Screens" }).getByRole("link", { name }).click()
        await at.getByRole("heading", { level: 1, name }).waitFor()
        await at.locator("#main > .state").waitFor({ state: "detached" })
      }
      const kept = await at.evaluate(async () => {
        const wrong: Array<string> = []
        for (const name of await caches.keys()) {
          const cache = await caches.open(name)
          for (const request of await cache.keys()) {
            const answer = await cache.match(request)
            if (/\.(js|css)$/.test(request.url) && /html/.test(answer?.headers.get("content-type") ?? ""))
              wrong.push(request.url)
          }
        }
        return wrong
      })
      assert.deepStrictEqual(kept, [])
    }))

  it("recovers where an earlier version kept such pages", () =>
    withPage(browser, { serviceWorkers: "allow", expectedErrors }, async (at) => {
      proxy.putBetween(undefined)
      await at.goto(proxy.url)
      await connected(at)
      await at.waitForFunction(() => navigator.serviceWorker.controller !== null)
      await at.evaluate(
        async ({ paths, body }) => {
          for (const name of [...(await caches.keys()), "shell-earlier"]) {
            const cache = await caches.open(name)
            for (const path of paths)
              await cache.put(path, new Response(body, { headers: { "content-type": "text/html" } }))
          }
        },
        { paths: await later(at), body: PAGE }
      )
      await at.reload()
      await connected(at)
      await openBoard(at)
      await at.locator(".board-screen").waitFor()
    }))

  for (const [name, between] of [
    ["a page", page(200)],
    ["a redirect elsewhere", elsewhere],
    ["a demand for a sign-in of its own", page(401)]
  ] as const) {
    it(`names ${name} with a button that shows it, and goes on by itself`, () =>
      withPage(browser, { expectedErrors }, async (at) => {
        proxy.putBetween(undefined)
        await at.goto(proxy.url)
        await connected(at)
        proxy.putBetween(between)
        const banner = at.locator(".banner", { hasText: BETWEEN })
        await banner.waitFor()
        await banner.getByRole("button", { name: "Reload" }).waitFor()
        assert.strictEqual(await at.getByLabel("Password", { exact: true }).count(), 0)
        assert.deepStrictEqual(await accessProblems(at), [])
        if (name === "a page") {
          await keepPicture(at, "between-desktop")
          await at.setViewportSize(SIZES.phone)
          await keepPicture(at, "between-phone")
          await at.setViewportSize(SIZES.desktop)
        }
        proxy.putBetween(undefined)
        await connected(at)
        await banner.waitFor({ state: "detached" })
      }))
  }

  it("shows the page that answers when that button is pressed", () =>
    withPage(browser, { expectedErrors }, async (at) => {
      proxy.putBetween(undefined)
      await at.goto(proxy.url)
      await connected(at)
      proxy.putBetween(page(200))
      await at.locator(".banner", { hasText: BETWEEN }).getByRole("button", { name: "Reload" }).click()
      await at.getByRole("heading", { name: "Sign in to go on" }).waitFor()
    }))

  it("says so on a first visit whose parts get that page, and opens by itself", () =>
    withPage(browser, { expectedErrors }, async (at) => {
      proxy.putBetween((path) => (path.startsWith("/api") || path === "/ws" ? page(401)(path, false) : undefined))
      await at.goto(proxy.url)
      await at.getByRole("heading", { name: "Something else answers here" }).waitFor()
      await keepPicture(at, "between-first")
      proxy.putBetween(undefined)
      await connected(at)
    }))

  it("says so where not even the page's script comes", () =>
    withPage(browser, { expectedErrors }, async (at) => {
      proxy.putBetween((path) =>
        path.startsWith("/assets/") && path.endsWith(".js") ? page(401)(path, false) : undefined
      )
      await at.goto(proxy.url)
      await at.getByText("The console's files can't be loaded from this address.").waitFor()
      await keepPicture(at, "not-loaded")
      proxy.putBetween(undefined)
      await at.reload()
      await connected(at)
      assert.strictEqual(await at.locator(".not-loaded").count(), 0)
    }))

  it("says at a path, where no file is found, which setting the console needs", () =>
    withPage(browser, { expectedErrors }, async (at) => {
      const index = await fetch(console.url).then((answer) => answer.text())
      proxy.putBetween((path) =>
        path.startsWith("/console/")
          ? { status: 200, headers: { "content-type": "text/html" }, body: index }
          : { status: 404, headers: { "content-type": "text/html" }, body: "Not Found" }
      )
      await at.goto(`${proxy.url}/console/`)
      await at.getByText("set BASE_PATH to that path").waitFor()
    }))

  it("names a proxy that forwards no upgrades, and connects once it does", () =>
    withPage(browser, { expectedErrors }, async (at) => {
      proxy.putBetween((path, isUpgrade) => (isUpgrade ? page(200)(path, true) : undefined))
      await at.goto(proxy.url)
      await at
        .locator(".banner", { hasText: "a proxy in between has to forward WebSocket connections on /api/live and /ws" })
        .waitFor()
      await keepPicture(at, "no-upgrade")
      proxy.putBetween(undefined)
      await connected(at)
    }))
})

import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, withPage } from "./support/browser.ts"
import { connected, openNewSession, say } from "./support/conversation.ts"
import { drawnFrames } from "./support/drawnFrames.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName.toLowerCase() ?? "")

/** Elements that stick out of the window sideways. */
const tooWide = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    const root = document.documentElement
    if (root.scrollWidth <= root.clientWidth && document.body.scrollWidth <= document.body.clientWidth) return []
    return [...document.querySelectorAll("main *")]
      .filter((element) => element.getBoundingClientRect().right > root.clientWidth + 1)
      .map((element) => `${element.tagName} ${element.className}`)
  })

describe("the frame around the screens", () => {
  const console = useConsole()
  const browser = useBrowser()

  const screens = (page: Page): Promise<ReadonlyArray<string>> =>
    page.locator(".navigation a").evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""))

  const open = async (page: Page) => {
    await page.goto(console.url)
    await connected(page)
    await page.locator("#composer").waitFor()
  }

  it("goes to every screen by its link: the title names it, the focus is in it, back and forward lead the same way", () =>
    withPage(browser, {}, async (page) => {
      await open(page)
      const paths = (await screens(page)).filter((path) => path !== "/")
      assert.isAtLeast(paths.length, 1)
      for (const path of paths) {
        const link = page.locator(`.navigation a[href="${path}"]`)
        const label = (await link.textContent()) ?? ""
        await link.focus()
        await page.keyboard.press("Enter")
        await page.waitForURL((url) => url.pathname.startsWith(path))
        await page.waitForFunction((name) => document.title.includes(name), label.trim())
        await page.waitForFunction(() => document.getElementById("main")?.contains(document.activeElement) === true)
        assert.strictEqual(await page.locator(".navigation a[aria-current]").getAttribute("href"), path)
        assert.strictEqual(await page.locator("a.session[aria-current]").count(), 0, "one place is the current one")
        assert.isAtLeast(await page.locator("a.session").count(), 1)
        assert.strictEqual(await page.locator("main h1").count(), 1)
        // Its field takes the focus once the screen is there.
        if (path === "/search") await page.locator("[data-search]:focus").waitFor()
      }
      for (const path of paths.toReversed().slice(1)) {
        await page.goBack()
        await page.waitForURL((url) => url.pathname.startsWith(path))
      }
    }))

  it("leaves the focus where someone went on to while a screen was still drawn", () =>
    withPage(browser, {}, async (page) => {
      await open(page)
      await page.evaluate(() => {
        const inTime = window.requestAnimationFrame.bind(window)
        window.requestAnimationFrame = (run) => window.setTimeout(() => inTime(run), 200)
      })
      await page.locator('.navigation a[href="/search"]').focus()
      await page.keyboard.press("Enter")
      await page.locator("[data-search]:focus").waitFor()
      const next = page.locator('.navigation a[href="/board"]')
      await next.focus()
      await drawnFrames(page, 8)
      assert.isTrue(await next.evaluate((link) => link === document.activeElement))
    }))

  it("jumps by letters, and to the chat, whose field takes the focus", () =>
    withPage(browser, {}, async (page) => {
      await open(page)
      await page.locator("h1").click()
      await page.keyboard.press("g")
      await page.keyboard.press("s")
      await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor()
      await page.waitForFunction(() => document.activeElement?.tagName === "H1")
      assert.strictEqual(await focused(page), "h1")
      await page.keyboard.press("g")
      await page.keyboard.press("c")
      await page.waitForFunction(() => document.activeElement?.id === "composer")
    }))

  it("finds a session in a short list too: by key and from the palette, the focus is in the field for it", () =>
    withPage(browser, {}, async (page) => {
      await open(page)
      await page.locator("a[data-session]").first().waitFor()
      const focusedField = page.locator(":focus").and(page.getByLabel("Filter sessions"))
      await page.keyboard.press("Control+/")
      await focusedField.waitFor()
      await page.keyboard.type("nothing like it")
      await page.getByText("No sessions found").waitFor()
      await page.keyboard.press("Escape")
      await page.locator("a[data-session]").first().waitFor()
      await page.locator("#composer").focus()
      await page.keyboard.press("Control+k")
      await page.locator(".palette-field").fill("find a session")
      await page.getByRole("option", { name: "Find a session", selected: true }).waitFor()
      await page.keyboard.press("Enter")
      await focusedField.waitFor()
      await keepPicture(page, "sessions-find")
    }))

  it("has tabs at the bottom of a phone, the other screens under More, the sessions on each, and gives the focus back", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      await open(page)
      for (const path of await screens(page)) {
        const tab = page.locator(`.navigation a[href="${path}"]`)
        if (await tab.isVisible()) await tab.click()
        else {
          await page.locator(".rail-more button").first().click()
          await page.getByRole("menuitem", { name: (await tab.textContent()) ?? "" }).click()
          await page.locator(".rail-more.is-current").waitFor()
        }
        await page.waitForURL((url) => url.pathname.startsWith(path))
        await page.locator("main h1").waitFor()
        await page.locator("[data-open-sessions]").waitFor()
      }
      assert.deepStrictEqual(await accessProblems(page), [])
      // The last screen has arrived, and with it the button that is to have the focus.
      await page.waitForFunction(() => document.querySelector("#main :focus") !== null)
      await page.locator("[data-open-sessions]").click()
      await page.locator(".shell.is-drawer-open").waitFor()
      await keepPicture(page, "drawer-with-screens")
      await page.keyboard.press("Escape")
      await page.waitForFunction(() => document.activeElement?.hasAttribute("data-open-sessions") === true)
    }))

  it("a message keeps its time while it has the focus, and gives the focus back", () =>
    withPage(browser, { expectedErrors: [/a render failed and was healed/] }, async (page) => {
      await open(page)
      await page.locator("#composer").focus()
      await page.evaluate(() => window.dispatchEvent(new Event("qheal")))
      const dismiss = page.getByRole("button", { name: "Dismiss" })
      await dismiss.focus()
      await page.keyboard.press("Enter")
      await dismiss.waitFor({ state: "detached" })
      await page.waitForFunction(() => document.activeElement?.id === "composer")
    }))

  it("Ctrl+Z takes back what was just done, but belongs to the text while somebody types", () =>
    withPage(browser, {}, async (page) => {
      const row = page.locator('[role=treeitem][data-path="undone.md"]')
      writeFileSync(join(console.workspace, "undone.md"), "Not for long\n")
      await page.goto(`${console.url}/knowledge/files`)
      await connected(page)
      await row.focus()
      await page.keyboard.press("Delete")
      await row.waitFor({ state: "detached" })
      // An offer waits while the pointer is on it.
      await page.getByRole("button", { name: "Undo" }).hover()
      const filter = page.getByLabel("Filter files")
      await filter.focus()
      await page.keyboard.type("und")
      await page.keyboard.press("Control+z")
      await page.keyboard.type("one.md")
      await page.waitForFunction(
        (field) => field instanceof HTMLInputElement && field.value.endsWith("one.md"),
        await filter.elementHandle()
      )
      assert.isTrue(await page.getByRole("button", { name: "Undo" }).isVisible())
      assert.isFalse(existsSync(join(console.workspace, "undone.md")))
      await filter.fill("")
      await page.getByRole("heading", { level: 1 }).focus()
      await page.keyboard.press("Control+z")
      await row.waitFor()
      assert.isTrue(existsSync(join(console.workspace, "undone.md")))
      await page.getByRole("button", { name: "Undo" }).waitFor({ state: "detached" })

      // Nothing is left to take back: the key does nothing, and the next thing done is offered again.
      await page.keyboard.press("Control+z")
      const session = await openNewSession(page, console.url)
      await say(page, "A session exists from its first message")
      const line = page.locator(`a[data-session="${session}"]`)
      await line.focus()
      await page.keyboard.press("Delete")
      await line.waitFor({ state: "detached" })
      await page.getByRole("button", { name: "Undo" }).hover()
      await page.locator(".navigation a").first().focus()
      await page.keyboard.press("Control+z")
      await line.waitFor()
    }))

  it("an address of nothing says so and leads on, in one way for cards, jobs, files and pages", () =>
    withPage(browser, { expectedErrors: [/404/] }, async (page) => {
      for (const [path, title, action] of [
        ["/board/no-such-card", "There's no card at this address", "Back to the board"],
        ["/operations/crons/no-such-job", "There's no job at this address", "Show all jobs"],
        ["/operations/no-such-page", "There's no page at this address.", "Scheduled jobs"],
        ["/settings/no-such-page", "There's no page at this address.", "All settings"],
        ["/knowledge/no-such-page", "There's no page at this address.", "Memory"]
      ] as const) {
        await page.goto(`${console.url}${path}`)
        const state = page.locator("#main .state.is-missing", { hasText: title })
        await state.waitFor()
        assert.deepStrictEqual(await accessProblems(page), [], path)
        await state.getByRole("link", { name: action }).click()
        await state.waitFor({ state: "detached" })
      }
    }))

  it("an address of no screen says so and leads back", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${console.url}/nowhere/at/all`)
      await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor()
      await page.getByRole("link", { name: "Go to chat" }).click()
      await page.locator("#composer").waitFor()
    }))

  for (const [name, width, height] of [
    ["a phone of 360 pixels", 360, 640],
    ["a tablet", 768, 1024],
    ["1440 pixels at 200 % zoom", 720, 450]
  ] as const) {
    it(`nothing sticks out sideways on ${name}`, () =>
      withPage(browser, {}, async (page) => {
        await page.setViewportSize({ width, height })
        await open(page)
        for (const path of await screens(page)) {
          await page.goto(`${console.url}${path}`)
          await page.locator("main h1").waitFor()
          await connected(page)
          assert.deepStrictEqual(await tooWide(page), [], path)
          await keepPicture(page, `frame-${width}-${path.slice(1).replaceAll("/", "-") || "chat"}`)
        }
      }))
  }

  it("nothing moves for who wants less movement", () =>
    withPage(browser, {}, async (page) => {
      await page.emulateMedia({ reducedMotion: "reduce" })
      await page.setViewportSize({ width: 390, height: 844 })
      await open(page)
      const slow = await page.evaluate(
        () =>
          [...document.querySelectorAll("*")].filter((element) => {
            const { transitionDuration, animationDuration } = getComputedStyle(element)
            return [transitionDuration, animationDuration].some((value) =>
              value.split(",").some((one) => Number.parseFloat(one) > 0.01)
            )
          }).length
      )
      assert.strictEqual(slow, 0)
    }))

  it.each(["en", "ar"])("the first screen doesn't move while it loads, and makes few requests, in %s", (locale) =>
    withPage(browser, { locale }, async (page) => {
      await page.addInitScript(() => {
        Object.assign(window, { shifts: 0 })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const { value, hadRecentInput } = Object.assign({ value: 0, hadRecentInput: false }, entry.toJSON())
            if (!hadRecentInput) Object.assign(window, { shifts: Reflect.get(window, "shifts") + value })
          }
        }).observe({ type: "layout-shift", buffered: true })
      })
      const requests: Array<string> = []
      page.on("request", (request) => requests.push(new URL(request.url()).pathname))
      await open(page)
      await page.locator(".message, .empty").first().waitFor()
      // The last to come: it waits until the page has nothing better to do.
      await page.locator(".voice button").first().waitFor()
      const files = new Set(requests.filter((path) => !path.startsWith("/api/") && path !== "/ws"))
      assert.isAtMost(files.size, 40, [...files].join("\n"))
      assert.isBelow(Number(await page.evaluate("shifts")), 0.01)
    })
  )
})

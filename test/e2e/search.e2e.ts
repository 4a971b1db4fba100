import { mkdirSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { accessProblems } from "./support/accessProblems.ts"
import { boardCalls } from "./support/boardCalls.ts"
import { BOTH_SIZES, problemsInBothThemes } from "./support/bothThemes.ts"
import { keepPicture, type Size, withPage } from "./support/browser.ts"
import { connected, finishedAnswer, openNewSession, say } from "./support/conversation.ts"
import { findable } from "./support/findable.ts"
import { gatewayCalls } from "./support/gatewayHistory.ts"
import { shiftsOf, watchShiftsIn } from "./support/layoutShifts.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

const NOTES = 350
/** What a search finds while nothing new is taken in. */
const PAUSED = {
  hits: [{ kind: "log", gatewayId: "primary", at: 1, snippet: [{ text: "pump", hit: true }] }],
  state: "ready",
  paused: "there's too little room on the disk"
}

const field = (page: Page) => page.getByRole("searchbox", { name: "Search everything" })
const palette = (page: Page) => page.getByRole("combobox", { name: /^Find a command/ })
const results = (page: Page) => page.locator("a[data-hit]")
const group = (page: Page, name: string) => page.getByRole("region", { name, exact: true })
const focusedHit = (page: Page) =>
  page.waitForFunction(
    () => document.activeElement?.matches("a[data-hit]") === true && document.activeElement.textContent
  )

describe("the search of everything", () => {
  const console = useConsole()
  const browser = useBrowser()
  const board = boardCalls(console)
  let sessionKey = ""
  let card = ""

  const open = async (page: Page, query = "") => {
    await page.goto(`${console.url}/search${query === "" ? "" : `?${new URLSearchParams({ q: query })}`}`)
    await connected(page)
    await field(page).waitFor()
  }

  beforeAll(async () => {
    await withPage(browser, {}, async (page) => {
      sessionKey = await openNewSession(page, console.url)
      await say(page, "The zephyrine lantern hangs at the harbour")
      await finishedAnswer(page, "You said")
    })
    const notes = Array.from({ length: NOTES }, (_, index) => ({
      sessionKey,
      message: `Note number ${index} about the quillmark.`
    }))
    await gatewayCalls(console.url, "chat.inject", notes)
    card = (await board.create({ title: "Polish the zephyrine lantern", description: "With a soft cloth." })).id
    writeFileSync(join(console.workspace, "MEMORY.md"), "# Memory\n\n## Facts\n\n- The zephyrine lamp is blue\n")
    writeFileSync(join(console.workspace, "SOUL.md"), "# Character\n\nFond of zephyrine things.\n")
    await findable(console, "zephyrine", "message")
    await findable(console, "zephyrine", "task")
    await findable(console, "zephyrine", "memory")
    await findable(console, "zephyrine", "document")
    await findable(console, `"number ${NOTES - 1}"`, "message")
  }, 120_000)

  for (const size of ["desktop", "phone"] satisfies ReadonlyArray<Size>) {
    it(
      `opens a conversation at a message far back, marked, and comes back to the results on a ${size}`,
      {
        timeout: 60_000
      },
      () =>
        withPage(browser, { size }, async (page) => {
          await open(page)
          await field(page).pressSequentially("kind:message zephyrine", { delay: 20 })
          await results(page).filter({ hasText: "zephyrine lantern hangs" }).first().waitFor()
          assert.strictEqual((await page.locator(".hit mark").first().textContent())?.toLowerCase(), "zephyrine")
          await page.keyboard.press("ArrowDown")
          await focusedHit(page)
          const count = await results(page).count()
          for (let step = 1; step < count; step++) await page.keyboard.press("ArrowDown")
          const chosen = await (await focusedHit(page)).jsonValue()
          const answered = String(chosen).includes("You said")
          await page.keyboard.press("Enter")
          await page.waitForURL((url) => url.pathname === `/chat/${sessionKey}`)
          const entry = page.locator("#log [data-found]")
          await entry.waitFor()
          assert.include(await entry.textContent(), answered ? "You said" : "The zephyrine lantern")
          await page.waitForFunction(() => CSS.highlights.get("found")?.size === 1)
          await page.waitForFunction(() => document.activeElement?.hasAttribute("data-found") === true)
          const box = await entry.boundingBox()
          const frame = await page.locator("#log").boundingBox()
          assert.isAtLeast(box?.y ?? -1, (frame?.y ?? 0) - 1)
          assert.isAtMost((box?.y ?? 0) + (box?.height ?? 0), (frame?.y ?? 0) + (frame?.height ?? 0) + 1)
          await keepPicture(page, `search-opened-${size}`)

          await page.goBack()
          await page.waitForURL(
            (url) => url.pathname === "/search" && url.searchParams.get("q") === "kind:message zephyrine"
          )
          assert.strictEqual(await (await focusedHit(page)).jsonValue(), chosen)
          assert.strictEqual(await field(page).inputValue(), "kind:message zephyrine")
        })
    )
  }

  it("comes back to where the reader had scrolled, with what was loaded until then", { timeout: 60_000 }, () =>
    withPage(browser, {}, async (page) => {
      await open(page, "quillmark")
      await page.waitForFunction(() => document.querySelectorAll("a[data-hit]").length >= 30)
      const body = page.locator(".search-body")
      await body.hover()
      await page.mouse.wheel(0, 6_000)
      await page.waitForFunction(() => document.querySelectorAll("a[data-hit]").length >= 60)
      await page.waitForFunction(() => document.querySelector(".search-more button:disabled") === null)
      const wanted = results(page).nth(45)
      await wanted.scrollIntoViewIfNeeded()
      const text = await wanted.textContent()
      const before = await body.evaluate((element) => element.scrollTop)
      assert.isAbove(before, 500)
      await wanted.click()
      await page.locator("#log [data-found]").waitFor()
      await page.goBack()
      assert.strictEqual(await (await focusedHit(page)).jsonValue(), text)
      await page.waitForFunction(
        (top) => Math.abs((document.querySelector(".search-body")?.scrollTop ?? 0) - top) < 4,
        before
      )
    })
  )

  it("finds a card, a memory and a document, and each opens where it is", { timeout: 60_000 }, () =>
    withPage(browser, {}, async (page) => {
      await open(page, "zephyrine")
      await group(page, "Cards").getByRole("link").first().click()
      await page.waitForURL((url) => url.pathname === `/board/${card}`)
      await page.getByRole("heading", { name: "Polish the zephyrine lantern" }).first().waitFor()
      await page.goBack()
      await group(page, "Memory").getByRole("link", { name: /lamp/ }).first().click()
      await page.waitForURL((url) => url.pathname === "/knowledge/memory")
      await page.locator(".memory").getByText("The zephyrine lamp is blue").waitFor()
      assert.strictEqual(await page.locator("#memory-search").inputValue(), "zephyrine")
      await page.goBack()
      await group(page, "Documents").getByRole("link").first().click()
      await page.waitForURL((url) => url.pathname === "/knowledge/documents/soul")
      await page.getByText("Fond of zephyrine things.").first().waitFor()
    })
  )

  it("opens with a key, and from the palette with the words typed there", { timeout: 60_000 }, () =>
    withPage(browser, {}, async (page) => {
      for (const screen of [
        "inbox",
        "board",
        "agents",
        "knowledge/memory",
        "knowledge/files",
        "operations/usage",
        "settings"
      ]) {
        await page.goto(`${console.url}/${screen}`)
        await connected(page)
        await page.locator("#main").focus()
        await page.keyboard.press("/")
        await page.waitForURL((url) => url.pathname === "/search")
        await page.waitForFunction(() => document.activeElement?.hasAttribute("data-search") === true)
      }
      await page.goto(`${console.url}/inbox`)
      await connected(page)
      await page.keyboard.press("Control+k")
      await palette(page).fill("lantern harbour")
      await page.getByRole("option", { name: "Search everything for “lantern harbour”" }).waitFor()
      await page.locator(".palette-entry.is-hit", { hasText: "You said" }).waitFor()
      await keepPicture(page, "search-palette")
      await page.getByRole("option", { name: /Search everything for/ }).click()
      await page.waitForURL((url) => url.pathname === "/search" && url.searchParams.get("q") === "lantern harbour")
      await results(page).first().waitFor()
      await page.keyboard.press("Control+k")
      await palette(page).fill("lantern harbour")
      await page.locator(".palette-entry.is-hit", { hasText: "You said" }).click()
      await page.locator("#log [data-found]").waitFor()
    })
  )

  it("finds in one conversation what isn't loaded, and goes there", { timeout: 60_000 }, () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${console.url}/chat/${sessionKey}`)
      await connected(page)
      await page.getByText(`Note number ${NOTES - 1} about`).waitFor()
      await page.getByRole("button", { name: "Search this conversation" }).click()
      await page.getByRole("searchbox", { name: "Search this conversation" }).fill("zephyrine")
      await page.getByText("2 in older messages").waitFor()
      await keepPicture(page, "search-bar-older")
      await page.keyboard.press("Enter")
      await page.getByText("2 of 2").waitFor()
      await page.waitForFunction(() => CSS.highlights.get("found")?.size === 1)
      await page.locator("#log").getByText("You said: “The zephyrine lantern").waitFor()
      await page.keyboard.press("Enter")
      await page.getByText("1 of 2").waitFor()
    })
  )

  for (const size of BOTH_SIZES) {
    it(
      `axe finds nothing on results and settings, and nothing moves by itself, in both themes on a ${size}`,
      {
        timeout: 60_000
      },
      () =>
        withPage(browser, { size, prepare: (page) => watchShiftsIn(page, "main") }, async (page) => {
          await open(page)
          await page.locator("summary", { hasText: "How to write a search" }).click()
          await page.getByText("words that start like this").waitFor()
          assert.deepStrictEqual(await problemsInBothThemes(page, "search-empty", size), [])
          await open(page, "zephyrine")
          await group(page, "Cards").waitFor()
          await page.keyboard.press("ArrowDown")
          await focusedHit(page)
          assert.deepStrictEqual(await problemsInBothThemes(page, "search", size), [])
          assert.deepStrictEqual(await shiftsOf(page), [])
          const wide = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth
          )
          assert.strictEqual(wide, 0)
          await page.route("**/api/search?*", (route) => route.fulfill({ json: PAUSED }))
          await open(page, "pump")
          await page.getByText("The index is paused: there's too little room on the disk.").waitFor()
          assert.deepStrictEqual(await problemsInBothThemes(page, "search-paused", size), [])
          await page.goto(`${console.url}/settings/search`)
          await page.getByRole("button", { name: "Build again" }).waitFor()
          assert.deepStrictEqual(await problemsInBothThemes(page, "search-settings", size), [])
        })
    )
  }
})

describe("the settings of the search", () => {
  const console = useConsole()
  const browser = useBrowser()

  it(
    "say why the index is paused, and so does the search, until it goes on, on a desktop and a phone",
    {
      timeout: 60_000
    },
    () =>
      withPage(browser, { expectedErrors: [/status of 503/] }, (desktop) =>
        withPage(browser, { size: "phone", expectedErrors: [/status of 503/] }, async (phone) => {
          const looks: ReadonlyArray<readonly [Size, Page]> = [
            ["desktop", desktop],
            ["phone", phone]
          ]
          const file = join(console.workspace, "../../search.db")
          const why =
            /can't use the search index \(search\.db in the console's own folder\): check that its user can read/
          await desktop.goto(`${console.url}/settings/search`)
          await connected(desktop)
          await desktop.getByRole("button", { name: "Delete index" }).click()
          const dialog = desktop.getByRole("dialog", { name: "Delete the search index?" })
          await dialog.getByRole("button", { name: "Delete index" }).click()
          await dialog.waitFor({ state: "detached" })
          // In the place of the file is something that no program could open as one.
          mkdirSync(file)
          for (const [size, page] of looks) {
            await page.goto(`${console.url}/search?q=pump`)
            const refused = page.getByRole("alert").filter({ hasText: "Couldn't search" })
            await refused.filter({ hasText: why }).waitFor()
            await keepPicture(page, `search-unusable-${size}`)
            await page.goto(`${console.url}/settings/search`)
            await page.getByRole("alert").filter({ hasText: "The index is paused" }).filter({ hasText: why }).waitFor()
            await page.locator(".fact-rows").getByText("Paused").waitFor()
            assert.strictEqual(await page.locator(".fact-rows").getByText("Unknown").count(), 3)
            assert.deepStrictEqual(await accessProblems(page), [])
            await keepPicture(page, `search-settings-paused-${size}`)
          }
          rmdirSync(file)
          for (const [, page] of looks) {
            // Its next look, which is the first that can be answered, makes it go on.
            await page.locator(".fact-rows").getByText("Ready").waitFor()
            await page.getByText("The index is paused").waitFor({ state: "detached" })
          }
        })
      )
  )
})

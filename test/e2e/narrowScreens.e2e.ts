import { assert, describe, it } from "@effect/vitest"
import { keepPicture, type Size, withPage } from "./support/browser.ts"
import { findable } from "./support/findable.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

describe("narrow screens", () => {
  const console = useConsole()
  const browser = useBrowser()

  it("show the current tab, even the last of a bar that is wider than the screen", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      await page.setViewportSize({ width: 280, height: 600 })
      await page.goto(`${console.url}/operations/log`)
      const tab = page.locator(".tab[aria-current]", { hasText: "Agent log" })
      await tab.waitFor()
      await page.waitForFunction(() => {
        const box = document.querySelector(".tab[aria-current]")?.getBoundingClientRect()
        return box !== undefined && box.left >= 0 && box.right <= innerWidth
      })
    }))

  it("keep the table under a usage chart inside its card", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      await page.goto(`${console.url}/operations/usage`)
      await page.locator(".usage-figure summary").first().waitFor()
      for (const summary of await page.locator(".usage-figure summary").all()) await summary.click()
      const outside = await page.locator(".usage-figure .table-scroll").evaluateAll(
        (tables) =>
          tables.filter((table) => {
            const card = table.closest(".usage-figure")
            return card !== null && table.getBoundingClientRect().right > card.getBoundingClientRect().right
          }).length
      )
      assert.strictEqual(outside, 0)
    }))

  it.each<Size>(["desktop", "phone"])("keep every choice of a row on one line and inside its box (%s)", (size) =>
    withPage(browser, { size }, async (page) => {
      await page.goto(`${console.url}/operations/usage`)
      await page.getByRole("button", { name: "90 days", exact: true }).waitFor()
      const choices = await page.locator(".place .segmented button").evaluateAll((buttons) =>
        buttons.map((button) => {
          const words = document.createRange()
          words.selectNodeContents(button.firstElementChild ?? button)
          const inner = words.getBoundingClientRect()
          const own = button.getBoundingClientRect()
          const row = button.closest(".segmented")?.getBoundingClientRect()
          const lines = new Set([...words.getClientRects()].map(({ top }) => Math.round(top))).size
          const fits = inner.left >= own.left && inner.right <= own.right && row !== undefined && own.right <= row.right
          return `${button.textContent}: ${lines === 1 && fits ? "fits" : "doesn't fit"}`
        })
      )
      await keepPicture(page, `usage-choices-${size}`)
      const names = ["7 days", "30 days", "90 days", "Cost", "Tokens"]
      assert.deepStrictEqual(
        choices,
        names.map((name) => `${name}: fits`)
      )
    })
  )
})

describe("screens with something on them", () => {
  const console = useConsole({ DEMO_SAMPLES: "true" })
  const browser = useBrowser()

  it("show the inbox's icon beside its number", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      await page.goto(console.url)
      const tile = page.locator('.rail-tile[data-screen="inbox"]')
      await tile.locator(".count").waitFor()
      const share = await tile.evaluate((element) => {
        const icon = element.querySelector(".icon")?.getBoundingClientRect()
        const count = element.querySelector(".count")?.getBoundingClientRect()
        if (icon === undefined || count === undefined) return 1
        const wide = Math.max(0, Math.min(icon.right, count.right) - Math.max(icon.left, count.left))
        const high = Math.max(0, Math.min(icon.bottom, count.bottom) - Math.max(icon.top, count.top))
        return (wide * high) / (icon.width * icon.height)
      })
      assert.isBelow(share, 0.1, "how much of the icon the number covers")
    }))

  // Each with what it is full of.
  it.each([
    ["/", ".composer"],
    ["/inbox", "[data-entry]"],
    ["/board", '[data-column="done"]'],
    ["/knowledge/memory", ".memory-item"],
    ["/operations/crons", ".job"],
    ["/operations/usage", ".usage-figure"],
    ["/search?q=name", "a[data-hit]"],
    ["/settings", ".settings-pages"]
  ] as const)("have nothing beside them that a finger could move the page to (%s)", (path, last) =>
    withPage(browser, { size: "phone" }, async (page) => {
      if (path.startsWith("/search")) await findable(console, "name", "task")
      await page.goto(`${console.url}${path}`)
      await page.locator(`main ${last}`).first().waitFor({ state: "attached" })
      // Not the window's own width, which a phone makes as wide as what is in it.
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      assert.strictEqual(width, page.viewportSize()?.width)
    })
  )
})

describe("the chat's shortcuts", () => {
  const console = useConsole()
  const browser = useBrowser()

  it("work while typing, and the browser keeps its own", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(console.url)
      // The conversation's commands come a moment after the conversation.
      await page.locator('[data-connection="ready"]').waitFor({ state: "attached" })
      await page.locator(".voice-button").waitFor()
      await page.locator("textarea").first().focus()
      await page.keyboard.press("Control+.")
      await page.getByRole("search").getByRole("searchbox").or(page.locator(".search-bar input")).first().waitFor()
      await page.keyboard.press("Escape")
      await page.locator("textarea").first().focus()
      await page.keyboard.press("Control+;")
      await page.getByRole("dialog").waitFor()
    }))
})

import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { accessProblems } from "./support/accessProblems.ts"
import { boardCalls } from "./support/boardCalls.ts"
import { keepPicture, type Size, withPage } from "./support/browser.ts"
import { controlHeights } from "./support/controlHeights.ts"
import { connected } from "./support/conversation.ts"
import { shiftsOf, watchShiftsIn } from "./support/layoutShifts.ts"
import { DENSITIES, wear } from "./support/pieceLooks.ts"
import { SCREENS } from "./support/screens.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

const settled = async (page: Page) => {
  await page.locator("main h1, main h2").first().waitFor()
  await page.waitForFunction(() => document.querySelector(".skeleton, main .state.is-loading") === null)
}

const sidebarWidth = (page: Page): Promise<number> =>
  page.locator(".sidebar").evaluate((element) => Math.round(element.getBoundingClientRect().width))

const hasWidth = (page: Page, width: number) =>
  page.waitForFunction(
    (wanted) => Math.round(document.querySelector(".sidebar")?.getBoundingClientRect().width ?? 0) === wanted,
    width
  )

/** Chooses settings before the page starts. */
const choose =
  (settings: object) =>
  async (page: Page): Promise<void> => {
    await page.addInitScript((saved) => {
      if (localStorage.getItem("agent-console:settings") === null) localStorage.setItem("agent-console:settings", saved)
    }, JSON.stringify(settings))
  }

// A console each: opening so many pages within a minute would meet the limit on requests.
for (const size of ["desktop", "phone"] as const satisfies ReadonlyArray<Size>)
  describe(`one system of controls on a ${size}`, () => {
    const console = useConsole({ DEMO_SAMPLES: "true" })
    const browser = useBrowser()
    const board = boardCalls(console)

    it("makes every button, field, choice and tab of every screen equally high, in both densities", () =>
      withPage(browser, { size }, async (page) => {
        const card = await board.create({ title: "Write the release notes", labels: ["text"] })
        const found: Array<string> = []
        for (const path of [...SCREENS, "/settings/gateways", "/inbox?kind=proposal", `/board/${card.id}`]) {
          await page.goto(`${console.url}${path}`)
          await connected(page)
          await settled(page)
          for (const density of DENSITIES) {
            await wear(page, { density })
            for (const problem of await controlHeights(page)) found.push(`${path}, ${density}: ${problem}`)
          }
        }
        assert.deepStrictEqual(found, [])
      }))
  })

describe("edges", () => {
  const console = useConsole({ DEMO_SAMPLES: "true" })
  const browser = useBrowser()

  for (const theme of ["contrast", "midnight"])
    it(`columns and cards have an edge that is seen (${theme})`, () =>
      withPage(browser, { prepare: choose({ theme }) }, async (page) => {
        await page.goto(`${console.url}/board`)
        await page.locator(".card").first().waitFor()
        const edges = await page.locator(".column, .card").evaluateAll((elements) => {
          const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true })
          const luminance = (colour: string) => {
            if (paint === null) return 0
            paint.fillStyle = colour
            paint.fillRect(0, 0, 1, 1)
            const [red = 0, green = 0, blue = 0] = [...paint.getImageData(0, 0, 1, 1).data].map((value) => {
              const part = value / 255
              return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
            })
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue
          }
          const contrast = (one: string, other: string) => {
            const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
            return (light + 0.05) / (dark + 0.05)
          }
          return elements.map((element) => {
            const { borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(element)
            const around = getComputedStyle(document.documentElement).backgroundColor
            return {
              width: Number.parseFloat(borderTopWidth),
              contrast: Math.min(contrast(borderTopColor, backgroundColor), contrast(borderTopColor, around))
            }
          })
        })
        assert.isAbove(edges.length, 6)
        for (const edge of edges) {
          assert.isAtLeast(edge.width, 1)
          assert.isAtLeast(edge.contrast, 3)
        }
      }))
})

describe("the sidebar", () => {
  const console = useConsole()
  const browser = useBrowser()

  const open = async (page: Page, path = "/board") => {
    await page.goto(`${console.url}${path}`)
    await connected(page)
    await page.locator("main h1").waitFor()
  }

  it("leaves only the screens by its button and by a key, stays so, and opens for the list of sessions", () =>
    withPage(browser, {}, async (page) => {
      await open(page)
      const wide = await sidebarWidth(page)
      await page.getByRole("button", { name: "Sidebar", expanded: true }).click()
      await page.getByRole("button", { name: "Sidebar", expanded: false }).waitFor()
      assert.strictEqual(await sidebarWidth(page), 0)
      await page.getByRole("link", { name: "Inbox" }).waitFor()
      assert.strictEqual(await page.getByLabel("Filter sessions").isVisible(), false)
      await keepPicture(page, "sidebar-collapsed")
      assert.deepStrictEqual(await accessProblems(page), [])
      await page.reload()
      await page.getByRole("button", { name: "Sidebar", expanded: false }).waitFor()
      await page.keyboard.press("Control+b")
      await hasWidth(page, wide)
      await page.keyboard.press("Control+b")
      await page.getByRole("button", { name: "Sidebar", expanded: false }).waitFor()
      await page.keyboard.press("Control+/")
      await page.locator(":focus").and(page.getByLabel("Filter sessions")).waitFor()
    }))

  it("is resized by dragging its edge and by keys, keeps the width, and a double click sets it back", () =>
    withPage(browser, {}, async (page) => {
      await open(page)
      const usual = await sidebarWidth(page)
      const edge = page.getByRole("separator", { name: "Width of the sidebar" })
      const box = await edge.boundingBox()
      assert.isNotNull(box)
      await page.mouse.move(box.x + box.width / 2, 300)
      await page.mouse.down()
      await page.mouse.move(400 + box.x + box.width / 2 - usual, 320, { steps: 4 })
      await page.mouse.up()
      await hasWidth(page, 400)
      await page.locator('.sidebar-edge[aria-valuenow="400"]').waitFor()
      await page.reload()
      await connected(page)
      await hasWidth(page, 400)
      await edge.press("ArrowLeft")
      await hasWidth(page, 384)
      await edge.press("ArrowRight")
      await hasWidth(page, 400)
      await edge.press("End")
      await hasWidth(page, Number(await edge.getAttribute("aria-valuemax")))
      await edge.press("Home")
      await hasWidth(page, Number(await edge.getAttribute("aria-valuemin")))
      await edge.dblclick()
      await hasWidth(page, usual)
    }))

  it("is resized the other way round where one reads from right to left", () =>
    withPage(browser, { prepare: choose({ language: "ar" }) }, async (page) => {
      await open(page)
      const edge = page.locator(".sidebar-edge")
      const box = await edge.boundingBox()
      assert.isNotNull(box)
      assert.isAbove(box.x, 720, "the sidebar is on the right")
      await page.mouse.move(box.x + box.width / 2, 300)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width / 2 + (await sidebarWidth(page)) - 400, 320, { steps: 4 })
      await page.mouse.up()
      await hasWidth(page, 400)
      await edge.press("ArrowLeft")
      await hasWidth(page, 416)
      await edge.press("ArrowRight")
      await hasWidth(page, 400)
    }))

  for (const settings of [{ sidebarWidth: 420 }, { sidebar: "collapsed" }])
    it(`is painted as it was before any script of the page runs (${Object.keys(settings)})`, () =>
      withPage(browser, { prepare: choose(settings) }, async (page) => {
        await watchShiftsIn(page, "h1, .sidebar, .skeleton")
        let release = () => {}
        const held = new Promise<void>((resolve) => {
          release = resolve
        })
        await page.route(/\/assets\/.*\.js/, async (route) => {
          await held
          await route.continue()
        })
        await page.goto(`${console.url}/board`, { waitUntil: "commit" })
        const painted = page.locator(".skeleton-side")
        await painted.waitFor({ state: "attached" })
        const before = await painted.evaluate((element) => element.getBoundingClientRect().width)
        await keepPicture(page, `static-shell-${Object.keys(settings)}`)
        release()
        await connected(page)
        assert.strictEqual(await sidebarWidth(page), Math.round(before))
        assert.deepStrictEqual(await shiftsOf(page), [])
      }))
})

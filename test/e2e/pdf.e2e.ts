import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, LOOKS, type Size, withPage } from "./support/browser.ts"
import { type MadePage, makePdf } from "./support/makePdf.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

const RED = [0.8, 0.1, 0.1] as const

/** A blue JPEG 2000 picture of 16 by 16 pixels, which no browser decodes by itself. */
const BLUE = Buffer.from(
  "AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAAEAAAABAAAwgHAAAAAAAPY29scgEAAAAAABAAAAC+anAyY/9P/1EALwAAAAAAEAAAABAAAAAAAAAAAAAAAQAAAAEAAAAAAAAAAAAAAwcBAQcBAQcBAf9SAAwAAAABAAYCAgAA/1wAKSJ/IH7gfuB+oHbwdvB2wG8AbwBu4GdQZ1BnaFAFUAVQR1fTV9NXYv9kABEAAUxhdmM1OS4zNy4xMDD/kAAKAAAAAAA1AAH/k9/4MBgHOI/P/AAMBy6f3/gwGASaPwAAAAAAAAAAAAAAAAAAAAAAAP/Z",
  "base64"
)

const pages = (count: number): ReadonlyArray<MadePage> =>
  Array.from({ length: count }, (_, index) => ({
    text: `Chapter ${index + 1} of the report`,
    colour: RED,
    ...(index === 0 ? { leadsTo: count - 1 } : {}),
    ...(index === 2 ? { size: [842, 595] as const } : {})
  }))

describe("PDFs in the files", () => {
  const console = useConsole()
  const browser = useBrowser()

  const put = (name: string, content: Buffer | string) => writeFileSync(join(console.workspace, name), content)
  const open = (page: Page, name: string) => page.goto(`${console.url}/knowledge/files/${name}`)
  const sheet = (page: Page, number: number) => page.locator(`.page[data-page-number="${number}"]`)
  const drawn = (page: Page, number: number) =>
    page.locator(`.page[data-page-number="${number}"][data-loaded]:has(canvas)`)
  const field = (page: Page) => page.getByRole("textbox", { name: /^Page/ })
  const zoom = (page: Page) => page.getByRole("status", { name: "Zoom" })

  /** Colour in the middle of the box every page has, and how many canvas pixels there are per CSS pixel. */
  const picture = (page: Page, number: number) =>
    sheet(page, number)
      .locator("canvas")
      .evaluate((canvas: HTMLCanvasElement) => {
        // Read from a copy: the browser warns when the page's own canvas is read again and again.
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true })
        copy?.drawImage(canvas, 0, 0)
        const at = (x: number, y: number) =>
          Array.from(copy?.getImageData(Math.round(x * canvas.width), Math.round(y * canvas.height), 1, 1).data ?? [])
        return {
          box: at(160 / 595, 1 - 560 / 842),
          paper: at(0.9, 0.9),
          ratio: canvas.width / canvas.getBoundingClientRect().width
        }
      })

  const goTo = async (page: Page, number: number) => {
    await field(page).fill(String(number))
    await field(page).press("Enter")
    await drawn(page, number).waitFor()
  }

  for (const { size, theme } of LOOKS) {
    it(`everybody can read them in the ${theme} theme on a ${size}`, () =>
      withPage(browser, { size, theme }, async (page) => {
        put("report.pdf", makePdf(pages(12)))
        await open(page, "report.pdf")
        await drawn(page, 1).waitFor()
        await drawn(page, 1).getByText("Chapter 1 of the report").waitFor()
        await page.getByRole("link", { name: "Chapter 1 of the report" }).waitFor()
        assert.deepStrictEqual(await accessProblems(page), [])
        await keepPicture(page, `pdf-${theme}-${size}`)
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        assert.isAtMost(sideways, 0)
      }))
  }

  for (const size of ["desktop", "phone"] satisfies ReadonlyArray<Size>) {
    it(`pages are drawn as they come into sight, with words to select, on a ${size}`, () =>
      withPage(browser, { size }, async (page) => {
        put("long.pdf", makePdf(pages(300)))
        await open(page, "long.pdf")
        await drawn(page, 1).waitFor()
        const first = await picture(page, 1)
        assert.deepStrictEqual(first.box, [204, 26, 26, 255])
        assert.deepStrictEqual(first.paper, [255, 255, 255, 255])
        assert.closeTo(first.ratio, await page.evaluate(() => window.devicePixelRatio), 0.05)

        // The words of the layer cover the words of the picture.
        const words = drawn(page, 1).getByText("Chapter 1 of the report")
        const [box, paper] = [await words.boundingBox(), await sheet(page, 1).boundingBox()]
        assert.closeTo(((box?.x ?? 0) - (paper?.x ?? 0)) / (paper?.width ?? 1), 60 / 595, 0.01)
        assert.closeTo(((box?.y ?? 0) - (paper?.y ?? 0)) / (paper?.height ?? 1), (842 - 705 - 24) / 842, 0.02)
        await words.selectText()
        assert.include(await page.evaluate(() => String(window.getSelection())), "Chapter 1 of the report")

        await goTo(page, 150)
        await drawn(page, 150).getByText("Chapter 150 of the report").waitFor()
        assert.deepStrictEqual((await picture(page, 150)).box, [204, 26, 26, 255])
        assert.isBelow(await page.locator(".page canvas").count(), 12)
        await page.locator(".pdf-pages").evaluate((element) => element.scrollTo(0, 0))
        await drawn(page, 1).waitFor()
        await page.waitForFunction(
          () => document.querySelector<HTMLInputElement>(".pdf-page-field input")?.value === "1"
        )
        await page.getByRole("button", { name: "Actions for long.pdf" }).last().click()
        const [tab] = await Promise.all([
          page.waitForEvent("popup"),
          page.getByRole("menuitem", { name: "Open in a new tab" }).click()
        ])
        await tab.close()
        await page.getByRole("link", { name: "Chapter 1 of the report" }).click()
        await drawn(page, 300).getByText("Chapter 300 of the report").waitFor()
        assert.strictEqual(await field(page).inputValue(), "300")
      }))
  }

  it("they are walked and zoomed by the keyboard alone", () =>
    withPage(browser, {}, async (page) => {
      put("walked.pdf", makePdf(pages(5)))
      await open(page, "walked.pdf")
      await drawn(page, 1).waitFor()
      const room = page.getByRole("region", { name: "Pages of walked.pdf" })
      const shows = (number: number) =>
        page.waitForFunction(
          (wanted) => document.querySelector<HTMLInputElement>(".pdf-page-field input")?.value === wanted,
          String(number)
        )
      await room.focus()
      await page.keyboard.press("ArrowRight")
      await shows(2)
      await drawn(page, 2).waitFor()
      await page.keyboard.press("ArrowLeft")
      await shows(1)
      const before = await zoom(page).textContent()
      const width = async () => (await sheet(page, 1).boundingBox())?.width ?? 0
      const fitting = await width()
      await page.keyboard.press("-")
      await page.getByRole("button", { name: "Fit width", pressed: false }).waitFor()
      assert.isBelow(await width(), fitting)
      assert.notStrictEqual(await zoom(page).textContent(), before)
      // What was drawn for the other zoom is drawn anew, as sharp as the screen.
      await page.waitForFunction(() => {
        const canvas = document.querySelector<HTMLCanvasElement>('.page[data-page-number="1"] canvas')
        if (canvas === null) return false
        const shown = canvas.getBoundingClientRect().width * window.devicePixelRatio
        return Math.abs(canvas.width - shown) <= 2
      })
      await page.keyboard.press("0")
      await page.getByRole("button", { name: "Fit width", pressed: true }).waitFor()
      assert.strictEqual(await width(), fitting)
      await page.keyboard.press("End")
      await shows(5)
      await page.keyboard.press("Home")
      await shows(1)
    }))

  it("the library comes with the first PDF only, from this console", () =>
    withPage(browser, {}, async (page) => {
      const asked: Array<string> = []
      page.on("request", (request) => asked.push(request.url()))
      put("lazy.pdf", makePdf(pages(1)))
      await page.goto(`${console.url}/knowledge/files`)
      await page.locator('[role=treeitem][data-path="lazy.pdf"]').waitFor()
      const isViewer = (url: string) => /showPdf|pdf\.worker|\/assets\/pdf-/.test(url)
      assert.deepStrictEqual(asked.filter(isViewer), [])
      await page.locator('[role=treeitem][data-path="lazy.pdf"]').click()
      await drawn(page, 1).waitFor()
      assert.isTrue(asked.some((url) => /\/assets\/pdf\.worker/.test(url)))
      assert.deepStrictEqual(
        asked.filter((url) => !url.startsWith(`${console.url}/`) && !url.startsWith("blob:")),
        []
      )
    }))

  it("fonts, character maps and decoders that a document needs come from this console, too", () =>
    withPage(browser, {}, async (page) => {
      const answers = new Map<string, number>()
      page.on("response", (answer) => answers.set(new URL(answer.url()).pathname, answer.status()))
      put("foreign.pdf", makePdf([{ text: "A picture", colour: RED, picture: BLUE, chinese: "\u4e2d\u6587" }]))
      await open(page, "foreign.pdf")
      await drawn(page, 1).getByText("\u4e2d\u6587").waitFor()
      const { box } = await picture(page, 1)
      assert.isTrue((box[0] ?? 255) < 10 && (box[2] ?? 0) > 240, `the picture is drawn: ${box}`)
      const parts = [...answers].filter(([path]) => path.startsWith("/assets/pdf-"))
      for (const part of ["UniGB-UCS2-H.bcmap", "openjpeg_nowasm_fallback.js", "LiberationSans-Regular.ttf"]) {
        assert.isTrue(
          parts.some(([path, status]) => path.endsWith(part) && status === 200),
          `${part} among ${JSON.stringify(parts)}`
        )
      }
    }))

  it("a changed file is shown anew at the same page", () =>
    withPage(browser, {}, async (page) => {
      put("changing.pdf", makePdf(pages(6)))
      await open(page, "changing.pdf")
      await drawn(page, 1).waitFor()
      await goTo(page, 4)
      put("changing.pdf", makePdf(pages(6).map((one) => ({ ...one, text: `New ${one.text}` }))))
      await drawn(page, 4).getByText("New Chapter 4 of the report").waitFor()
      assert.strictEqual(await field(page).inputValue(), "4")
    }))

  for (const size of ["desktop", "phone"] satisfies ReadonlyArray<Size>) {
    it(`what cannot be shown says why, with a way out, on a ${size}`, () =>
      withPage(browser, { size }, async (page) => {
        put("damaged.pdf", "%PDF-1.7\nnothing of a PDF follows\n")
        put("locked.pdf", makePdf(pages(2), { locked: true }))
        for (const [name, says] of [
          ["damaged.pdf", "This PDF is damaged"],
          ["locked.pdf", "This PDF is password-protected"]
        ] as const) {
          await open(page, name)
          await page.getByText(says).waitFor()
          assert.strictEqual(await page.locator(".pdf-bar, .page").count(), 0)
          const link = page.getByRole("link", { name: "Open in a new tab" })
          assert.strictEqual(await link.getAttribute("href"), `/api/files/download?path=${name}&view=pdf`)
          assert.deepStrictEqual(await accessProblems(page), [])
          await keepPicture(page, `pdf-${name.replace(".pdf", "")}-${size}`)
        }
        const [saved] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("link", { name: "Download" }).click()
        ])
        assert.strictEqual(saved.suggestedFilename(), "locked.pdf")
      }))
  }
})

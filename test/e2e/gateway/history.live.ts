import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, inject, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { startConsole } from "../../gateway/support/consoleProcess.ts"
import { describeOn } from "../../gateway/support/describeOn.ts"
import { keepPicture, withPage } from "../support/browser.ts"
import { connected, idle, openNewSession, say } from "../support/conversation.ts"
import { shiftsOf, watchShifts } from "../support/layoutShifts.ts"
import { makePng } from "../support/makePng.ts"
import { useBrowser } from "../support/useConsole.ts"

const LINE = "The quick brown fox jumps over the lazy dog again. "
const WIDTH = 480

/** Waits until every picture of a message is drawn. */
const drawn = async (page: Page, message: string, count: number): Promise<void> => {
  await page.waitForFunction(
    ([selector, wanted]) => {
      const all = [...document.querySelectorAll(String(selector))]
      return all.length === wanted && all.every((img) => img instanceof HTMLImageElement && img.naturalWidth === 480)
    },
    [`${message} .media-frame img`, count] as const
  )
}

/** The finished answer; a gateway's first one can take long on a busy machine. */
const answered = async (page: Page, text: string): Promise<void> => {
  await page.locator(".message.is-assistant", { hasText: text }).waitFor({ timeout: 60_000 })
  await idle(page)
}

for (const gateway of inject("gateways")) {
  const isNew = gateway.version.startsWith("2026.9")
  const name = `history-${gateway.version}`

  describeOn(gateway)(`the history of gateway ${gateway.version}`, () => {
    const browser = useBrowser()
    const start = startConsole({
      GATEWAY_URL: gateway.url,
      GATEWAY_TOKEN: gateway.token,
      GATEWAY_HOME: gateway.gatewayHome
    })
    const words = (page: Page) =>
      page.locator(".is-assistant .markdown, .is-assistant .long-text").evaluateAll((all) =>
        all
          .map((one) => one.textContent ?? "")
          .join("")
          .trim()
      )

    it.live("has the agent's pictures, live and after a reload", () =>
      Effect.gen(function* () {
        const { url } = yield* start
        const workspace = join(gateway.gatewayHome, "workspace")
        mkdirSync(workspace, { recursive: true })
        writeFileSync(join(workspace, "sea.png"), makePng(WIDTH, 300, [11, 102, 90]))
        writeFileSync(join(workspace, "night.png"), makePng(WIDTH, 200, [18, 52, 59]))
        const answer = `Here they are:\\nMEDIA:${workspace}/sea.png\\nMEDIA:./night.png`
        yield* Effect.promise(() =>
          withPage(browser, { prepare: watchShifts }, async (page) => {
            await openNewSession(page, url)
            await say(page, `Two pictures. [[mock:text=${answer}]] [[mock:chunks=20]] [[mock:delay=60]]`)
            await shiftsOf(page)
            await answered(page, "Here they are:")
            await drawn(page, ".is-assistant", 2)
            assert.notInclude((await page.locator(".message.is-assistant").textContent()) ?? "", "MED")
            await keepPicture(page, name)
            const shifts = await shiftsOf(page)
            await page.reload()
            await drawn(page, ".is-assistant", 2)
            assert.deepStrictEqual(
              await page.locator(".media-frame img").evaluateAll((all) => all.map((img) => img.getAttribute("alt"))),
              ["sea.png", "night.png"]
            )
            await page.getByRole("button", { name: "Enlarge sea.png" }).click()
            await page.getByRole("dialog", { name: "sea.png" }).locator("img.lightbox").waitFor()
            await page.keyboard.press("Escape")
            await page.getByRole("dialog").waitFor({ state: "detached" })
            assert.deepStrictEqual(shifts, [], "nothing moved when the pictures came")
            await say(page, "By its path. [[mock:text=Once more: ![the sea](sea.png)]]")
            await page.waitForFunction(
              (width) => document.querySelector<HTMLImageElement>(".markdown img")?.naturalWidth === width,
              WIDTH
            )
            await idle(page)
          })
        )
      }).pipe(Effect.scoped)
    )

    it.live("has a person's pictures after a reload", () =>
      Effect.gen(function* () {
        const { url } = yield* start
        yield* Effect.promise(() =>
          withPage(browser, { size: "phone" }, async (page) => {
            await openNewSession(page, url)
            const chooser = page.waitForEvent("filechooser")
            await page.getByRole("button", { name: "Attach files" }).click()
            const file = { mimeType: "image/png", buffer: makePng(WIDTH, 200, [168, 38, 28]) }
            await (await chooser).setFiles([
              { ...file, name: "one.png" },
              { ...file, name: "two.png" }
            ])
            await page.getByRole("img", { name: "two.png" }).waitFor()
            await say(page, "What are these? [[mock:text=Two pictures.]]")
            await answered(page, "Two pictures.")
            await drawn(page, ".is-user", 2)
            await page.reload()
            await drawn(page, ".is-user", 2)
            const sources = await page
              .locator(".is-user img")
              .evaluateAll((all) => all.map((img) => img.getAttribute("src") ?? ""))
            for (const source of sources) assert.match(source, /^\/api\/gateway\/media\//)
            await keepPicture(page, `${name}-person`)
          })
        )
      }).pipe(Effect.scoped)
    )

    it.live("has a long answer whole when it ends, and after a reload", () =>
      Effect.gen(function* () {
        const { url } = yield* start
        // More than the newer gateway lists, and more than the older one lists uncut.
        const repeat = isNew ? 3_000 : 400
        const wanted = LINE.repeat(repeat).trim()
        yield* Effect.promise(() =>
          withPage(browser, {}, async (page) => {
            await openNewSession(page, url)
            await say(page, `Write. [[mock:text=${LINE}]][[mock:repeat=${repeat}]][[mock:chunks=30]]`)
            await answered(page, LINE.trim())
            // The history is read a few times after the end.
            await page.locator(".message.is-assistant .message-foot", { hasText: "mock-fast" }).waitFor()
            assert.strictEqual(await words(page), wanted)
            await page.reload()
            await connected(page)
            if (!isNew) {
              await page.getByText("The gateway only sent the beginning of this response.").waitFor()
              await page.getByRole("button", { name: "Show full response" }).click()
              await page.locator(".cut-note").waitFor({ state: "detached" })
            }
            await page.locator(".message.is-assistant .message-foot", { hasText: "mock-fast" }).waitFor()
            assert.strictEqual(await words(page), wanted)
          })
        )
      }).pipe(Effect.scoped)
    )
  })
}

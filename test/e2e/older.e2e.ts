import { assert, describe, it } from "@effect/vitest"
import { type Size, withPage } from "./support/browser.ts"
import { connected, finishedAnswer, openNewSession, say } from "./support/conversation.ts"
import { gatewayCalls } from "./support/gatewayHistory.ts"
import { useBrowser, useConsole, useGateway } from "./support/useConsole.ts"

const NOTES = 350

describe("a session of several hundred messages", () => {
  const gateway = useGateway({ tokenMs: 0 })
  const console = useConsole(() => gateway.env)
  const browser = useBrowser()

  for (const size of ["desktop", "phone"] satisfies ReadonlyArray<Size>) {
    it(`loads upwards on a ${size} as the reader scrolls, and keeps the place`, () =>
      withPage(browser, { size }, async (page) => {
        const sessionKey = await openNewSession(page, console.url)
        await say(page, "the very first")
        await finishedAnswer(page, "You said: “the very first”")
        const notes = Array.from({ length: NOTES }, (_, index) => ({ sessionKey, message: `Note number ${index}.` }))
        await gatewayCalls(console.url, "chat.inject", notes)
        await page.reload()
        await connected(page)
        const log = page.locator("#log")
        const entries = page.locator("#log [data-item]")
        await page.getByText(`Note number ${NOTES - 1}.`, { exact: true }).waitFor()
        const before = await entries.count()
        assert.strictEqual(before, 100)

        const first = page.getByText(`Note number ${NOTES - 100}.`, { exact: true })
        // The first move up ends following; the rest of the way goes at once.
        const toTop = async () => {
          await log.hover()
          await page.mouse.wheel(0, -100)
          await log.evaluate((element) => element.scrollTo({ top: 0 }))
        }
        await toTop()
        await page.waitForFunction(() => document.querySelectorAll("#log [data-item]").length > 100)
        const box = await first.boundingBox()
        const frame = await log.boundingBox()
        assert.isNotNull(box)
        assert.isAbove(box?.y ?? 0, (frame?.y ?? 0) - 400)
        assert.isBelow(box?.y ?? 0, (frame?.y ?? 0) + 400)

        while ((await entries.count()) < NOTES + 2) {
          const count = await entries.count()
          await toTop()
          await page.waitForFunction((had) => document.querySelectorAll("#log [data-item]").length > had, count)
        }
        await toTop()
        await log.getByText("the very first", { exact: true }).waitFor()
        assert.strictEqual(await page.getByRole("button", { name: "Show older messages" }).count(), 0)
      }))
  }
})

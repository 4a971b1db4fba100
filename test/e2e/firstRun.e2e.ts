import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { listOf, recordOf } from "../../src/contract/looseFields.ts"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, type Size, withPage } from "./support/browser.ts"
import { connected, openNewSession, say } from "./support/conversation.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

/** What the server says of itself, with these findings instead of its own. */
const findings = (checks: ReadonlyArray<object>) => async (page: Page) => {
  await page.route("**/api/doctor", (route) => route.fulfill({ json: { ok: true, checks } }))
}

const FINE = { id: "gateway", title: "Gateway", state: "ok", detail: "Answers.", fix: null }
const SILENT = { id: "ffmpeg", title: "ffmpeg", state: "warning", detail: "Not found.", fix: "Install ffmpeg." }
const FULL = { id: "folders", title: "Folders", state: "problem", detail: "No room left.", fix: "Make room." }

const place = (page: Page) => page.locator(".first-run")

describe("the checklist of an empty conversation", () => {
  const console = useConsole()
  const browser = useBrowser()

  it("says as many things as the server and the page find", { timeout: 90_000 }, () =>
    withPage(browser, {}, async (page) => {
      const answer: unknown = await fetch(`${console.url}/api/doctor`).then((response) => response.json())
      const found = listOf(recordOf(answer)?.checks).map((check) => recordOf(check)?.state)
      assert.isAbove(found.length, 5)
      const open = found.filter((state) => state === "warning" || state === "problem").length
      await openNewSession(page, console.url)
      await page.waitForResponse((response) => response.url().endsWith("/api/doctor"), { timeout: 30_000 })
      const says = open === 1 ? "One thing needs a look" : `${open} things need a look`
      if (open > 0) await place(page).getByText(says, { exact: true }).waitFor()
      else assert.strictEqual(await place(page).count(), 0)
    })
  )

  it("is not there when all is well, and leaves with the first message", () =>
    withPage(browser, { prepare: findings([FINE]) }, async (page) => {
      const checked = page.waitForResponse((response) => response.url().endsWith("/api/doctor"))
      await openNewSession(page, console.url)
      await checked
      assert.strictEqual(await place(page).count(), 0)
      assert.deepStrictEqual(await accessProblems(page), [])
      await say(page, "Hello")
      await place(page).waitFor({ state: "detached" })
    }))

  for (const size of ["desktop", "phone"] satisfies ReadonlyArray<Size>) {
    it(`opens what is worth a look, says what to do, and leads to all checks, on a ${size}`, () =>
      withPage(browser, { size, prepare: findings([FINE, SILENT, FULL]) }, async (page) => {
        await openNewSession(page, console.url)
        const summary = place(page).getByText("2 things need a look")
        await summary.waitFor()
        assert.isFalse(await place(page).getByText("Install ffmpeg.").isVisible())
        await page.locator("details.first-run summary").focus()
        await page.keyboard.press("Enter")
        await place(page).getByText("Install ffmpeg.").waitFor()
        await place(page).getByText("Make room.").waitFor()
        assert.deepStrictEqual(
          await place(page)
            .locator("[data-check]")
            .evaluateAll((checks) => checks.map((check) => check.getAttribute("data-check"))),
          ["ffmpeg", "folders"]
        )
        assert.deepStrictEqual(await accessProblems(page), [])
        await keepPicture(page, `first-run-${size}`)
        await place(page).getByRole("link", { name: "All checks" }).click()
        await page.waitForURL((url) => url.pathname === "/settings/checks")
        await connected(page)
        await page.locator('[data-check="gateway"][data-state="ok"]').waitFor()
      }))
  }
})

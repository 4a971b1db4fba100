import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { keepPicture, type Size, withPage } from "./support/browser.ts"
import { finishedAnswer, openNewSession, say } from "./support/conversation.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

/** Those of the shown controls that a click in their middle wouldn't reach. */
const unreachable = (page: Page, controls: string): Promise<ReadonlyArray<string>> =>
  page.locator(controls).evaluateAll((all) =>
    all
      .filter((control) => {
        const { left, top, width, height } = control.getBoundingClientRect()
        const there = document.elementFromPoint(left + width / 2, top + height / 2)
        return width > 0 && there !== control && !control.contains(there)
      })
      .map((control) => control.getAttribute("aria-label") ?? control.textContent ?? "")
  )

/** Every file has been moved away by the time it's read. */
const filesGone = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    Blob.prototype.arrayBuffer = () => Promise.reject(new Error("gone"))
  })
}

describe("notices", () => {
  const console = useConsole()
  const browser = useBrowser()

  /** Picks a file that nobody can read. */
  const attach = (page: Page, name: string) =>
    page
      .locator("input[type=file]")
      .setInputFiles([{ name: `${name}.txt`, mimeType: "text/plain", buffer: Buffer.from("gone") }])

  const sizes: ReadonlyArray<Size> = ["desktop", "phone"]
  for (const size of sizes)
    it(`leave a conversation's controls, its end and a dialog's buttons free, and move nothing (${size})`, () =>
      withPage(browser, { size, prepare: filesGone }, async (page) => {
        await openNewSession(page, console.url)
        await say(page, "markdown")
        await finishedAnswer(page, /./)
        const places = () =>
          page
            .locator(".composer, .chat-head, .log")
            .evaluateAll((parts) => parts.map((part) => JSON.stringify(part.getBoundingClientRect())))
        const before = await places()
        for (const name of ["first", "a-second-one-with-a-rather-long-name-that-needs-another-line", "third"])
          await attach(page, name)
        await page.locator(".notice").nth(2).waitFor()
        await page.locator(".notice").first().hover()
        await keepPicture(page, `notices-${size}`)
        assert.deepStrictEqual(await places(), before)
        assert.deepStrictEqual(await unreachable(page, ".chat-head button, .composer :is(button, textarea)"), [])
        assert.deepStrictEqual(await unreachable(page, ".message.is-assistant .message-foot button"), [])

        await page.getByRole("button", { name: "More for this conversation" }).click()
        await page.getByRole("menuitem", { name: "Rename…" }).click()
        await page.locator("dialog[open]").waitFor()
        await attach(page, "fourth")
        await page.locator(".notice", { hasText: "fourth" }).waitFor()
        await keepPicture(page, `notices-dialog-${size}`)
        assert.deepStrictEqual(await unreachable(page, "dialog[open] :is(button, input)"), [])
      }))
})

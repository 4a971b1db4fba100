import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, type Size, withPage } from "./support/browser.ts"
import { connected, idle, openNewSession } from "./support/conversation.ts"
import { useBrowser, useConsole, useGateway } from "./support/useConsole.ts"

const BYTES = [0, 1, 2, 255, 254]

/** Drops a file that isn't text, and one that is. */
const dropFiles = async (page: Page, name: string) => {
  const dataTransfer = await page.evaluateHandle((bytes) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([new Uint8Array(bytes)], "report.bin"))
    transfer.items.add(new File(["# Notes\n\nfirst\n"], "notes.md"))
    return transfer
  }, BYTES)
  await page.dispatchEvent("#log", "dragover", { dataTransfer })
  await page.getByText("Drop files to attach them").waitFor()
  await keepPicture(page, `attach-drop-${name}`)
  await page.dispatchEvent("#log", "drop", { dataTransfer })
  await page.getByText("Drop files to attach them").waitFor({ state: "detached" })
}

const attached = async (page: Page) => {
  await page.locator(".composer-file", { hasText: "report.bin" }).getByText("5 B").waitFor()
  await page.locator(".composer-file", { hasText: "notes.md" }).waitFor()
}

/** The last message shows its words and its files. */
const shown = async (page: Page) => {
  const message = page.locator(".message.is-user").last()
  await message.getByText("Look at these, and at").waitFor()
  await message.getByRole("link", { name: "report.bin" }).waitFor()
  await message.getByText("notes.md").click()
  await message.getByText("# Notes").waitFor()
  return message
}

const generations: ReadonlyArray<readonly ["new" | "old", Size, "light" | "dark"]> = [
  ["new", "desktop", "light"],
  ["old", "phone", "dark"]
]

describe("files in messages", () => {
  const browser = useBrowser()

  for (const [generation, size, theme] of generations)
    describe(`to the ${generation} gateway, on a ${size}`, () => {
      const home = mkdtempSync(join(tmpdir(), "agent-console-files-"))
      const workspace = join(home, "workspace")
      mkdirSync(join(workspace, "my books"), { recursive: true })
      writeFileSync(join(workspace, "my books", "plan.md"), "# Plan\n")
      afterAll(() => rmSync(home, { recursive: true, force: true }))
      const gateway = useGateway({ generation })
      const console = useConsole(() => ({ ...gateway.env, GATEWAY_HOME: home }))

      it("they are dropped, kept across a reload, named with @, sent, and shown again from the history", () =>
        withPage(browser, { size, theme }, async (page) => {
          const key = await openNewSession(page, console.url)
          await dropFiles(page, size)
          await attached(page)
          const field = page.locator("#composer")
          await field.pressSequentially("Look at these, and at @pla")
          const option = page.getByRole("option", { name: "my books/plan.md" })
          await option.waitFor()
          await keepPicture(page, `attach-files-${size}`)
          assert.deepStrictEqual(await accessProblems(page), [])
          await field.press("Enter")
          await page.waitForFunction(
            () => document.querySelector("textarea")?.value === 'Look at these, and at @"my books/plan.md" '
          )
          await page.waitForResponse((response) => response.url().endsWith("/api/drafts") && response.ok())
          await page.reload()
          await connected(page)
          await attached(page)
          assert.strictEqual(await field.inputValue(), 'Look at these, and at @"my books/plan.md"')
          await page.getByRole("button", { name: "Send message" }).click()
          await page.locator(".composer-attached").waitFor({ state: "detached" })
          await shown(page)
          await page.locator(".message.is-assistant").last().waitFor()
          await idle(page)
          await page.goto(`${console.url}/chat/${encodeURIComponent(key)}`)
          await connected(page)
          const message = await shown(page)
          await keepPicture(page, `attach-sent-${size}`)
          assert.deepStrictEqual(await accessProblems(page), [])
          const [day = ""] = readdirSync(join(workspace, "uploads"))
          assert.deepStrictEqual([...readFileSync(join(workspace, "uploads", day, "report.bin"))], BYTES)
          await message.getByRole("link", { name: "my books/plan.md" }).click()
          await page.waitForURL(/\/knowledge\/files\/my%20books\/plan\.md/)
          await page.getByText("# Plan").waitFor()
        }))
    })

  describe("where the agent's workspace isn't on this machine", () => {
    const gateway = useGateway()
    const console = useConsole(() => gateway.env)

    it("a file says so before anything is sent; a long text that is pasted becomes one that goes", () =>
      withPage(browser, { expectedErrors: [/404/] }, async (page) => {
        await openNewSession(page, console.url)
        await dropFiles(page, "elsewhere")
        const failed = page.locator(".composer-file.is-failed", { hasText: "report.bin" })
        await failed.getByText("isn't on this machine").waitFor()
        await page.getByText("Try the file again or remove it").waitFor()
        await keepPicture(page, "attach-failed")
        assert.isTrue(await page.getByRole("button", { name: "Send message" }).isDisabled())
        await page.getByRole("button", { name: "Remove report.bin" }).click()
        await page.getByRole("button", { name: "Remove notes.md" }).click()
        await page.locator("#composer").evaluate((area: HTMLTextAreaElement) => {
          const clipboardData = new DataTransfer()
          clipboardData.setData("text/plain", "a long line of text\r\n".repeat(500))
          area.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }))
          area.value = "a long line of text\n".repeat(500)
          area.dispatchEvent(new Event("input", { bubbles: true }))
        })
        await page.getByRole("button", { name: "Attach it as a file" }).click()
        await page.locator(".composer-file", { hasText: "pasted text.txt" }).waitFor()
        assert.strictEqual(await page.locator("#composer").inputValue(), "")
        await page.getByRole("button", { name: "Send message" }).click()
        await page.locator(".message.is-user", { hasText: "pasted text.txt" }).waitFor()
      }))
  })
})

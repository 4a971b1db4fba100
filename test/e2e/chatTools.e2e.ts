import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, type Size, withPage } from "./support/browser.ts"
import { finishedAnswer, idle, openNewSession, say } from "./support/conversation.ts"
import { assertEqualsHistory } from "./support/equalsHistory.ts"
import { useBrowser, useConsole, useQuickConsole } from "./support/useConsole.ts"

const sizes: ReadonlyArray<Size> = ["desktop", "phone"]

describe("tools of a conversation", () => {
  const console = useConsole()
  const browser = useBrowser()
  const composerIs = (page: Page, text: string) =>
    page.waitForFunction((wanted) => document.querySelector("textarea")?.value === wanted, text)

  it("commands are completed, sent and stopped by the keyboard", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      const field = page.locator("#composer")
      await field.pressSequentially("/mo")
      await page.getByRole("option", { name: "/model" }).waitFor()
      await keepPicture(page, "commands")
      assert.deepStrictEqual(await accessProblems(page), [])
      await field.press("Tab")
      await composerIs(page, "/model ")
      await page.getByRole("option", { name: "demo/swift" }).waitFor()
      await field.pressSequentially("swi")
      await page.getByRole("option", { name: "demo/companion" }).waitFor({ state: "detached" })
      await field.press("Enter")
      await composerIs(page, "/model demo/swift")
      await field.press("Enter")
      await finishedAnswer(page, "Model set to demo/swift.")
      await page.getByRole("button", { name: "Model and thinking: swift" }).waitFor()
      await say(page, "slow please")
      await page.locator(".message.is-assistant", { hasText: "Step 1" }).waitFor()
      await field.fill("/stop")
      await field.press("Enter")
      await page.locator(".run-stopped").waitFor()
      await field.press("ArrowUp")
      await composerIs(page, "slow please")
      await field.press("ArrowUp")
      await composerIs(page, "/model demo/swift")
      await field.press("ArrowDown")
      await field.press("ArrowDown")
      await composerIs(page, "")
    }))

  it("a command typed faster than its list is drawn is sent unchanged", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      const field = page.locator("#composer")
      await field.fill("/")
      await page.getByRole("option", { name: "/stop" }).waitFor()
      await field.evaluate((area: HTMLTextAreaElement) => {
        area.value = "/status"
        area.dispatchEvent(new Event("input", { bubbles: true }))
        area.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }))
      })
      await finishedAnswer(page, "thinking")
      await page.locator(".message.is-user", { hasText: "/status" }).waitFor()
      await composerIs(page, "")
    }))

  for (const size of sizes)
    it(`questions are edited and asked again on a ${size}`, () =>
      withPage(browser, { size, theme: size === "phone" ? "dark" : "light" }, async (page) => {
        const key = await openNewSession(page, console.url)
        await say(page, "good mornin")
        await finishedAnswer(page, "You said: “good mornin”")
        await say(page, "second")
        await finishedAnswer(page, "You said: “second”")
        const first = page.locator(".message.is-user", { hasText: "good mornin" })
        await first.locator(".bubble").click()
        await first.getByRole("button", { name: "Edit and resend" }).click()
        await composerIs(page, "good mornin")
        await page.getByText("Editing an earlier message").waitFor()
        await keepPicture(page, `editing-${size}`)
        await page.locator("#composer").fill("good morning")
        await page.locator("#composer").press("Enter")
        await finishedAnswer(page, "You said: “good morning”")
        assert.strictEqual(await page.locator(".message.is-user").count(), 1)
        await assertEqualsHistory(page, console.url, key)
        await page.getByRole("button", { name: "Regenerate" }).click()
        await page.locator('[data-activity="STREAMING"]').waitFor()
        await idle(page)
        assert.strictEqual(await page.locator(".message.is-user").count(), 1)
        await assertEqualsHistory(page, console.url, key)
      }))

  for (const size of sizes)
    it(`model and thinking are chosen for a session on a ${size}`, () =>
      withPage(browser, { size, theme: size === "phone" ? "dark" : "light" }, async (page) => {
        await openNewSession(page, console.url)
        const button = page.getByRole("button", { name: /^Model and thinking/ })
        const panel = page.getByRole("dialog", { name: "Model and thinking" })
        if (size === "phone") {
          await say(page, "good morning")
          await finishedAnswer(page, "You said")
          await button.click()
          await panel.getByRole("option", { name: "scholar" }).click()
          const { height, y } = (await panel.boundingBox()) ?? { height: 0, y: 0 }
          assert.strictEqual(Math.round(y + height), 844)
        } else {
          await page.keyboard.press("ControlOrMeta+;")
          const search = panel.getByRole("combobox", { name: "Search models" })
          await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "combobox")
          await panel.getByRole("option", { name: "scholar" }).waitFor()
          await search.pressSequentially("schol")
          await panel.getByRole("option", { name: "swift" }).waitFor({ state: "detached" })
          await search.press("Enter")
        }
        await panel.getByText("answers from the next message on.").waitFor()
        await panel.getByRole("option", { name: "scholar", selected: true }).waitFor()
        // The gateway lists a model's levels with a session, which doesn't exist before its first message.
        await panel
          .getByRole("radio", { name: size === "phone" ? "Extra high" : "High" })
          .waitFor({ state: "attached" })
        await keepPicture(page, `model-${size}`)
        assert.deepStrictEqual(await accessProblems(page), [])
        await panel.getByText("High", { exact: true }).click()
        await panel.getByText("Thinking is high from the next message on.").waitFor()
        await page.keyboard.press("Escape")
        await panel.waitFor({ state: "detached" })
        await page.waitForFunction(() => document.activeElement?.id === "composer-model")
        await button.click()
        await panel.waitFor()
        await page.locator(".chat-head h1").click()
        await panel.waitFor({ state: "detached" })
        await page.getByRole("button", { name: "Model and thinking: scholar · High" }).waitFor()
        await say(page, "/status")
        await finishedAnswer(page, "demo/scholar · thinking high")
      }))
})

describe("tools of an existing conversation", () => {
  const console = useQuickConsole()
  const browser = useBrowser()

  for (const size of sizes)
    it(`texts are found, and the conversation is saved, on a ${size}`, () =>
      withPage(browser, { size }, async (page) => {
        await openNewSession(page, console.url)
        await say(page, "a lighthouse far away")
        await finishedAnswer(page, "You said: “a lighthouse far away”")
        await say(page, "Show me a table and some code")
        await finishedAnswer(page, "A quotation")
        await page.getByRole("button", { name: "Search this conversation" }).click()
        const search = page.getByRole("searchbox", { name: "Search this conversation" })
        await search.fill("LIGHTHOUSE")
        await page.getByText("2 of 2").waitFor()
        await search.press("Enter")
        await page.getByText("1 of 2").waitFor()
        await page.locator(".message.is-user", { hasText: "a lighthouse" }).waitFor()
        await keepPicture(page, `search-${size}`)
        assert.deepStrictEqual(await accessProblems(page), [])
        await search.press("Escape")
        await page.waitForFunction(() => document.activeElement?.id === "composer")

        const saved = page.waitForEvent("download")
        await page.getByRole("button", { name: "More for this conversation" }).click()
        await page.getByRole("menuitem", { name: "Save as Markdown" }).click()
        const text = readFileSync(await (await saved).path(), "utf8")
        assert.include(text, "## You")
        assert.include(text, "a lighthouse far away")
        const code = page.waitForEvent("download")
        await page.locator('.code-copy[data-copy="save"]').first().click()
        assert.strictEqual((await code).suggestedFilename(), "code.ts")
      }))

  it("many tool calls are one line, and an edit is a comparison", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      await say(page, "many tools")
      await finishedAnswer(page, "the lamp shines")
      const group = page.locator(".tool-group")
      await group.getByText("6 tool calls").waitFor()
      assert.strictEqual(await page.locator(".disclosure.tool").count(), 0)
      await group.locator("summary").first().click()
      const edit = page.locator('[data-tool="edit"]')
      await edit.locator("summary").click()
      await edit.getByText("It shines.").first().waitFor()
      await keepPicture(page, "tool-group")
      assert.deepStrictEqual(await accessProblems(page), [])
    }))

  it("pictures are made smaller, stay with their session, and open large", () =>
    withPage(browser, {}, async (page) => {
      const first = await openNewSession(page, console.url)
      await say(page, "this comes first")
      await finishedAnswer(page, "You said")
      await page.evaluate(async () => {
        const canvas = document.createElement("canvas")
        canvas.width = 2_600
        canvas.height = 800
        const context = canvas.getContext("2d")
        const noise = new ImageData(2_600, 800)
        for (let index = 0; index < noise.data.length; index++) noise.data[index] = (index * 7919) % 256
        context?.putImageData(noise, 0, 0)
        const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"))
        const data = new DataTransfer()
        data.items.add(new File([blob ?? ""], "noise.png", { type: "image/png" }))
        document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }))
      })
      await page.getByRole("img", { name: "noise.png" }).waitFor()
      const size = await page
        .getByRole("img", { name: "noise.png" })
        .evaluate((image) => (image instanceof HTMLImageElement ? [image.naturalWidth, image.naturalHeight] : []))
      assert.deepStrictEqual(size, [2_048, 630])
      await page.locator(".sessions-head").getByRole("button", { name: "New session" }).click()
      await page.locator(".composer-attached").waitFor({ state: "detached" })
      await page.locator(`a[data-session="${first}"]`).click()
      await page.getByRole("img", { name: "noise.png" }).waitFor()
      await say(page, "look at this")
      await finishedAnswer(page, "your image arrived safely")
      await page.getByRole("button", { name: "Enlarge noise.png" }).click()
      await page.getByRole("dialog", { name: "noise.png" }).locator("img.lightbox").waitFor()
      await page.keyboard.press("Escape")
      await page.getByRole("dialog").waitFor({ state: "detached" })
    }))
})

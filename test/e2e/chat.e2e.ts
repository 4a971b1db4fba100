import { assert, describe, it } from "@effect/vitest"
import { keepPicture, SIZES, type Size, withPage } from "./support/browser.ts"
import { finishedAnswer, idle, openNewSession, say } from "./support/conversation.ts"
import { startConsole } from "./support/startConsole.ts"
import { useBrowser, useConsole, useQuickConsole } from "./support/useConsole.ts"

/** A picture of one pixel. */
const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const sizes: ReadonlyArray<Size> = ["desktop", "phone"]

describe("the chat", () => {
  const console = useConsole()
  const browser = useBrowser()

  for (const size of sizes) {
    it(`sends a message and streams the answer (${SIZES[size].width} px)`, () =>
      withPage(browser, { size }, async (page) => {
        await openNewSession(page, console.url)
        await keepPicture(page, `empty-${size}`)
        // Shortcuts are shown to users with a keyboard while they write.
        assert.strictEqual(await page.getByText("Shift+Enter for a new line").isVisible(), size === "desktop")
        const hasOpacity = (wanted: string) =>
          page.waitForFunction(
            (opacity) => getComputedStyle(document.querySelector(".key-hint") ?? document.body).opacity === opacity,
            wanted
          )
        await hasOpacity("0")
        await page.locator("#composer").fill("Two lines")
        await hasOpacity("1")
        await page.locator("#composer").fill("")
        await hasOpacity("0")
        await page.getByRole("button", { name: "Show me a table and some code" }).click()
        await page.locator('[data-activity="STREAMING"]').waitFor()
        const answer = await finishedAnswer(page, "A quotation, to round it off.")
        assert.strictEqual(await answer.locator("table tbody tr").count(), 3)
        await answer.locator("pre .hljs-keyword").nth(1).waitFor()
        assert.strictEqual(await answer.locator("a").getAttribute("rel"), "noopener noreferrer nofollow")
        await keepPicture(page, `answer-${size}`)
        await page.locator('[data-activity="DONE"], [data-activity="IDLE"]').waitFor({ state: "attached" })
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        assert.isAtMost(wide, 0, "nothing sticks out sideways")
      }))
  }

  it("stops an answer with the button and with Esc, and keeps what was written", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      await say(page, "slow please")
      await page.locator(".message.is-assistant", { hasText: "Step 1" }).waitFor()
      await page.getByRole("button", { name: "Stop response" }).click()
      await page.locator(".run-stopped").waitFor()
      await idle(page)
      await page.locator(".message.is-assistant", { hasText: "Step 1" }).waitFor()

      await say(page, "hang")
      await page.locator(".message.is-assistant", { hasText: "until you press Stop" }).waitFor()
      await page.locator("#composer").press("Escape")
      await page.locator(".run-stopped").nth(1).waitFor()
      await idle(page)
    }))

  it("queues a message while the agent works and answers it afterwards", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      await say(page, "Show me a table")
      await page.locator(".message.is-assistant", { hasText: "A little of everything" }).waitFor()
      await say(page, "and this comes second")
      await page.locator(".message.is-queued", { hasText: "and this comes second" }).waitFor()
      await finishedAnswer(page, "You said: “and this comes second”")
      await page.locator(".message.is-assistant", { hasText: "A quotation, to round it off." }).waitFor()
      assert.strictEqual(await page.locator(".message.is-queued").count(), 0)
    }))

  for (const size of sizes) {
    it(`sends picked pictures, and puts what only looks like one into the workspace (${SIZES[size].width} px)`, () =>
      withPage(browser, { size }, async (page) => {
        await openNewSession(page, console.url)
        const attach = async (files: ReadonlyArray<{ name: string; mimeType: string; buffer: Buffer }>) => {
          const chooser = page.waitForEvent("filechooser")
          await page.getByRole("button", { name: "Attach files" }).click()
          await (await chooser).setFiles([...files])
        }
        const dot = { name: "dot.png", mimeType: "image/png", buffer: Buffer.from(DOT, "base64") }
        const other = { ...dot, name: "other.png" }
        const large = { ...dot, name: "large.png", buffer: Buffer.alloc(10 * 1024 * 1024 + 1) }
        await attach([dot, other, large])
        await page.locator(".composer-file", { hasText: "large.png" }).getByText("10 MB").waitFor()
        await page.getByRole("img", { name: "other.png" }).waitFor()
        await keepPicture(page, `attached-${size}`)
        // Its name in the workspace, where the other size's has this one.
        await page.getByRole("button", { name: /^Remove large.*\.png$/ }).click()
        await page.getByRole("button", { name: "Remove other.png" }).click()
        await page.getByRole("img", { name: "other.png" }).waitFor({ state: "detached" })
        await attach([other])
        await page.getByRole("img", { name: "other.png" }).waitFor()
        await say(page, "what is this")
        await finishedAnswer(page, "your images arrived safely")
        assert.strictEqual(await page.locator(".message.is-user img").count(), 2)
        assert.strictEqual(await page.locator(".composer-attached").count(), 0)
      }))
  }

  it("shows in the tab that a response is being written", async () => {
    // A console of its own: a session that failed in another test would be more urgent than one that works.
    const own = await startConsole()
    try {
      await withPage(browser, {}, async (page) => {
        await openNewSession(page, own.url)
        await say(page, "slow down")
        await page.waitForFunction(() => document.title.includes("Working"))
        await page.locator('link[rel=icon][href="/icon-working.svg"]').waitFor({ state: "attached" })
        await page.getByRole("button", { name: "Stop response" }).click()
        await idle(page)
        await page.waitForFunction(() => !document.title.includes("Working"))
        await page.locator('link[rel=icon]:not([href="/icon-working.svg"])').waitFor({ state: "attached" })
      })
    } finally {
      await own.stop()
    }
  })

  it("brings the last own message back with the up key", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      await say(page, "once more")
      await finishedAnswer(page, "You said: “once more”")
      await page.locator("#composer").press("ArrowUp")
      await page.waitForFunction(() => document.querySelector("textarea")?.value === "once more")
    }))

  it("copies code and whole answers", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      await say(page, "code")
      const answer = await finishedAnswer(page, "A quotation")
      await answer.locator('[data-copy="code"]').click()
      await answer.getByText("Copied").waitFor()
      const code = await page.evaluate(() => navigator.clipboard.readText())
      assert.isTrue(code.startsWith("interface Greeting {\n  readonly name: string\n}"))
      await answer.getByRole("button", { name: "Copy response" }).click()
      await answer.locator('.message-foot [aria-label="Copied"]').waitFor()
      assert.include(await page.evaluate(() => navigator.clipboard.readText()), "## A little of everything")
    }))

  it("lets a reader scroll up while the answer grows, and jumps back on request", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      await say(page, "a long story")
      await page.locator(".message.is-assistant", { hasText: "Chapter 3" }).waitFor()
      await page.locator("#log").hover()
      await page.mouse.wheel(0, -600)
      await page.getByRole("button", { name: /^Jump to latest/ }).waitFor()
      const top = await page.locator("#log").evaluate((log) => log.scrollTop)
      await page.locator(".message.is-assistant", { hasText: "Chapter 5" }).waitFor()
      assert.approximately(await page.locator("#log").evaluate((log) => log.scrollTop), top, 800)
      assert.isAbove(
        await page.locator("#log").evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight),
        200
      )
      await page.getByRole("button", { name: /^Jump to latest/ }).click()
      await page.getByRole("button", { name: /^Jump to latest/ }).waitFor({ state: "detached" })
      await page.waitForFunction(() => {
        const log = document.querySelector("#log")
        return log !== null && log.scrollHeight - log.scrollTop - log.clientHeight < 30
      })
      await page.locator("#composer").press("Escape")
      await idle(page)
    }))

  it("lists a helper's session under the one that made it", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      await say(page, "spawn a helper")
      await page.locator(".depth-1 a.session", { hasText: "Lighthouse facts" }).first().waitFor()
      await idle(page)
      await keepPicture(page, "sessions-desktop")
    }))
})

describe("answers of the chat", () => {
  const console = useQuickConsole()
  const browser = useBrowser()

  for (const size of sizes)
    it(`show thoughts, tools, charts, proposals and failures (${SIZES[size].width} px)`, () =>
      withPage(browser, { size }, async (page) => {
        await openNewSession(page, console.url)
        await say(page, "Please think")
        await finishedAnswer(page, "start with the simplest version")
        await page.locator(".is-thinking summary").first().click()
        await page.getByText("I'll make a small plan first").waitFor()

        await say(page, "Use a tool")
        await finishedAnswer(page, "The tool answered")
        const tool = page.locator('[data-tool="exec"].is-done')
        await tool.locator("summary").click()
        await tool.getByText("uname -s && nproc").last().waitFor()
        await tool.locator("pre", { hasText: "Linux" }).waitFor()
        await keepPicture(page, `tool-${size}`)

        await say(page, "Draw a chart")
        const charts = await finishedAnswer(page, "Both are plain data")
        await charts.locator("figure svg.plot").nth(1).waitFor()
        assert.strictEqual(await charts.locator("figure svg.plot").count(), 2)
        assert.strictEqual(await charts.locator(".plot-bar").count(), 5)
        await charts.locator("figure summary").first().click()
        await charts.locator("figure").first().locator("tbody tr").nth(4).waitFor()
        assert.strictEqual(await charts.locator("figure").first().locator("tbody tr").count(), 5)
        await keepPicture(page, `charts-${size}`)

        await say(page, "Propose a task")
        const proposal = await finishedAnswer(page, "suggestion for your board")
        await proposal.getByText("Try the task board").waitFor()
        assert.notInclude((await proposal.textContent()) ?? "", "[kanban")

        await say(page, "Say something with your voice")
        const spoken = await finishedAnswer(page, "Everything else stays on the page")
        assert.notInclude((await spoken.textContent()) ?? "", "[tts")

        await say(page, "Now fail")
        await page.locator('.run-error[role="alert"]').last().waitFor()
        await idle(page)
        await page.getByRole("button", { name: "Regenerate" }).waitFor()
        await keepPicture(page, `failed-${size}`)
      }))
})

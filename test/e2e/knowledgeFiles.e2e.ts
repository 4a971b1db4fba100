import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { fieldsOf } from "../../src/contract/looseFields.ts"
import { accessProblems } from "./support/accessProblems.ts"
import { BOTH_SIZES, problemsInBothThemes } from "./support/bothThemes.ts"
import { keepPicture, withPage } from "./support/browser.ts"
import { jsonCalls } from "./support/jsonCalls.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

/** The smallest picture there is: one pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

/** The browser asks before a page with unsaved text is left; the person says yes. */
const LEAVING = {
  prepare: async (page: Page) => {
    page.on("dialog", (dialog) => dialog.accept())
  }
}

const HOSTILE = ["<img src=x onerror=alert(1)>.md", "<svg onload=alert(1)>", "a&amp;b\"c'd.md"]

/** A file that no earlier try of a test has left behind. */
const fresh = (name: string) => `${name}-${Date.now()}.md`

describe("files and the agent log", () => {
  const console = useConsole()
  const browser = useBrowser()

  const send = jsonCalls(console)
  const write = (path: string, content: string, mtime = 0) => send("POST", "/api/files/write", { path, content, mtime })
  const stored = async (path: string) => fieldsOf(await send("GET", `/api/files/read?path=${encodeURIComponent(path)}`))
  const open = async (page: Page, path: string) => {
    await page.goto(`${console.url}${path}`)
    await page.getByRole("heading", { level: 1, name: /^(Knowledge|Operations)$/ }).waitFor()
  }
  const row = (page: Page, path: string) => page.locator(`[role=treeitem][data-path="${path}"]`)
  const choose = async (page: Page, name: string, action: string, place = ".file-tree") => {
    await page
      .locator(place)
      .getByRole("button", { name: `Actions for ${name}` })
      .click()
    await page.getByRole("menuitem", { name: action }).click()
  }
  const editor = (page: Page) => page.locator(".editor .cm-content")

  for (const size of BOTH_SIZES) {
    it(`everybody can use them in both themes on a ${size}`, () =>
      withPage(browser, { size }, async (page) => {
        await send("POST", "/api/files/mkdir", { path: "notes" })
        await write("notes/plan.ts", "// A plan\nexport const plan = { steps: 3, done: false }\n")
        await send("POST", "/api/agentlog", {
          type: "tool",
          level: "info",
          message: "Read the mail",
          data: { count: 3 }
        })
        await send("POST", "/api/agentlog", { type: "run", level: "error", message: "The disk is full" })
        await open(page, "/knowledge/files")
        await row(page, "notes").click()
        await row(page, "notes/plan.ts").waitFor()
        assert.deepStrictEqual(await problemsInBothThemes(page, "files", size), [])
        await row(page, "notes/plan.ts").click()
        await editor(page).waitFor()
        assert.deepStrictEqual(await problemsInBothThemes(page, "file-open", size), [])
        await open(page, "/operations/log")
        await page.getByText("The disk is full").first().waitFor()
        assert.deepStrictEqual(await problemsInBothThemes(page, "log", size), [])
      }))
  }

  it("files are made, renamed, moved, deleted and brought back", () =>
    withPage(browser, {}, async (page) => {
      await send("POST", "/api/files/mkdir", { path: "box" })
      await open(page, "/knowledge/files")
      await row(page, "box").click()
      await choose(page, "box", "New file here")
      await page.getByRole("textbox", { name: "Name", exact: true }).fill("a <b>bold name.md")
      await page.getByRole("button", { name: "Create" }).click()
      await page.locator(".text-pane .save-state").waitFor()
      await choose(page, "a <b>bold name.md", "Rename", ".text-head")
      await page.getByRole("textbox", { name: "Name", exact: true }).fill("plain.md")
      await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click()
      await row(page, "box/plain.md").waitFor()
      await page.waitForURL((url) => url.pathname === "/knowledge/files/box/plain.md")
      await choose(page, "plain.md", "Move to…", ".text-head")
      await page.getByRole("radio", { name: "Top folder" }).check()
      await page.getByRole("dialog").getByRole("button", { name: "Move", exact: true }).click()
      await row(page, "plain.md").waitFor()
      await page.waitForURL((url) => url.pathname === "/knowledge/files/plain.md")
      await choose(page, "plain.md", "Delete", ".text-head")
      await row(page, "plain.md").waitFor({ state: "detached" })
      await page.getByRole("button", { name: "Undo" }).click()
      await row(page, "plain.md").waitFor()
      await page.waitForURL((url) => url.pathname === "/knowledge/files/plain.md")
      await choose(page, "plain.md", "Delete", ".text-head")
      await row(page, "plain.md").waitFor({ state: "detached" })
      // What offers to undo it lies over the button.
      await page.locator(".notice").getByRole("button", { name: "Dismiss" }).click()
      await page.getByRole("button", { name: "New file, trash and more" }).click()
      await page.getByRole("menuitem", { name: "Trash" }).click()
      assert.deepStrictEqual(await accessProblems(page), [])
      await page.getByRole("button", { name: "Restore plain.md" }).click()
      await page.getByText("The trash is empty").waitFor()
      await page.keyboard.press("Escape")
      await row(page, "plain.md").waitFor()
    }))

  it("the tree is walked by the keyboard alone", () =>
    withPage(browser, {}, async (page) => {
      await send("POST", "/api/files/mkdir", { path: "alpha" })
      await write("alpha/inner.md", "inside")
      await open(page, "/knowledge/files")
      await row(page, "alpha").focus()
      await page.keyboard.press("ArrowRight")
      await row(page, "alpha/inner.md").waitFor()
      await page.keyboard.press("ArrowRight")
      await page.waitForFunction(() => document.activeElement?.getAttribute("data-path") === "alpha/inner.md")
      await page.keyboard.press("ArrowLeft")
      await page.waitForFunction(() => document.activeElement?.getAttribute("data-path") === "alpha")
      await page.keyboard.press("i")
      await page.waitForFunction(() => document.activeElement?.getAttribute("data-path") === "alpha/inner.md")
      await page.keyboard.press("Enter")
      await editor(page).getByText("inside").waitFor()
      await row(page, "alpha/inner.md").focus()
      await page.keyboard.press("F2")
      await page.getByRole("textbox", { name: "Name", exact: true }).waitFor()
      await page.keyboard.press("Escape")
      await page.waitForFunction(() => document.activeElement?.getAttribute("data-path") === "alpha/inner.md")
      await editor(page).focus()
      await page.keyboard.press("Escape")
      await page.keyboard.press("Tab")
      await page.waitForFunction(() => document.activeElement?.closest(".editor") === null)
    }))

  it("unsaved text survives going away and reloading, and closing asks", () =>
    withPage(browser, LEAVING, async (page) => {
      await write("draft.md", "first")
      await open(page, "/knowledge/files/draft.md")
      await editor(page).getByText("first").waitFor()
      await editor(page).click()
      await page.keyboard.press("Control+End")
      await page.keyboard.type(" and second")
      await page.locator('[data-tab="draft.md"] .is-unsaved').waitFor()
      await page.getByRole("link", { name: "Memory", exact: true }).click()
      await page.locator(".memory").waitFor()
      await page.goBack()
      await editor(page).getByText("first and second").waitFor()
      await page.keyboard.press("Control+z")
      await page.reload()
      await page.locator('[data-tab="draft.md"]').waitFor()
      await editor(page).getByText("first").waitFor()
      await editor(page).click()
      await page.keyboard.press("Control+End")
      await page.keyboard.type(" again")
      await page.reload()
      await editor(page).getByText("again").waitFor()
      const text = await editor(page).textContent()
      await page.getByRole("button", { name: "Close draft.md" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
      await page.getByRole("button", { name: "Close draft.md" }).click()
      assert.deepStrictEqual(await accessProblems(page), [])
      await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click()
      await page.locator('[data-tab="draft.md"]').waitFor({ state: "detached" })
      assert.strictEqual((await stored("draft.md")).content, text)
    }))

  for (const size of ["desktop", "phone"] as const) {
    it(`an agent's change is taken over while nothing is unsaved, and compared otherwise, on a ${size}`, () =>
      withPage(browser, { size, expectedErrors: [/status of 409/] }, async (page) => {
        const path = fresh(`shared-${size}`)
        const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`)
        const made = fieldsOf(await write(path, lines.join("\n")))
        await open(page, `/knowledge/files/${path}`)
        await editor(page).getByText("line 0", { exact: true }).waitFor()
        const next = fieldsOf(await write(path, `agent\n${lines.join("\n")}`, Number(made.mtime)))
        await editor(page).getByText("agent", { exact: true }).waitFor()
        await editor(page).click()
        await page.keyboard.press("Control+End")
        await page.keyboard.type(" mine")
        const theirs = `agent twice\n${lines.join("\n")}\nagent at the end`
        await write(path, theirs, Number(next.mtime))
        await page.getByText("Someone else changed this").waitFor()
        await page.getByRole("button", { name: "Save", exact: true }).click()
        const conflict = page.getByRole("group", { name: "Conflict 1 of 1" })
        await conflict.waitFor()
        const merged = page.getByRole("button", { name: "Save merged text" })
        assert.isTrue(await merged.isDisabled())
        assert.deepStrictEqual(await accessProblems(page), [])
        await keepPicture(page, `file-conflict-light-${size}`)
        await conflict.getByRole("radio", { name: "Take theirs" }).press("Space")
        await conflict.getByText("1 line of yours is left out.").waitFor()
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("ArrowDown")
        await conflict.getByText("Nothing is left out").waitFor()
        await merged.press("Enter")
        await page.locator(".save-state", { hasText: /^Saved$/ }).waitFor()
        assert.strictEqual((await stored(path)).content, theirs.replace("line 39", "line 39 mine"))
      }))
  }

  it("on a phone one open file is named in its bar, several have tabs, and each has one way back", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      const [first, second] = [fresh("first"), fresh("second")]
      await write(first, "- one")
      await write(second, "- two")
      const tabs = page.getByRole("list", { name: "Open files" })
      const back = page.getByRole("link", { name: "All files" })
      await open(page, `/knowledge/files/${first}`)
      await page.locator(".text-place", { hasText: first }).waitFor()
      assert.isFalse(await tabs.isVisible())
      await editor(page).click()
      await page.keyboard.press("Control+End")
      await page.keyboard.type(" and a half")
      await page.locator(".text-foot").getByRole("button", { name: "Save", exact: true }).click()
      await page.locator(".text-foot").getByRole("button").first().waitFor({ state: "detached" })
      assert.strictEqual((await stored(first)).content, "- one and a half")
      await back.click()
      await row(page, second).click()
      await tabs.waitFor()
      assert.isFalse(await page.locator(".text-place").isVisible())
      assert.strictEqual(await back.count(), 1)
      await back.click()
      await row(page, first).waitFor()
    }))

  it("files are uploaded by button and drop, pictures are shown, and what is no text says so", () =>
    withPage(browser, { expectedErrors: [/status of (400|409)/] }, async (page) => {
      await open(page, "/knowledge/files")
      await row(page, "SOUL.md").waitFor()
      const picked = { name: "dot.png", mimeType: "image/png", buffer: PIXEL }
      await page.locator(".file-tools input[type=file]").setInputFiles(picked)
      await row(page, "dot.png").click()
      await page.getByText("1 × 1").waitFor()
      await page.locator(".file-tools input[type=file]").setInputFiles(picked)
      await page.locator(".upload-problem", { hasText: "already exists" }).waitFor()
      await page.getByRole("button", { name: "Keep both" }).click()
      await row(page, "dot (2).png").waitFor()
      await row(page, "SOUL.md").click()
      await page.locator(".file-tab.is-current", { hasText: "SOUL.md" }).waitFor()
      await page.locator(".file-tools input[type=file]").setInputFiles(picked)
      await page.getByRole("button", { name: "Replace" }).click()
      await page.locator(".upload").waitFor({ state: "detached" })
      await page.locator(".file-tools input[type=file]").setInputFiles(picked)
      await page.getByRole("button", { name: "Dismiss dot.png" }).click()

      const dropped = await page.evaluateHandle(() => {
        const data = new DataTransfer()
        data.items.add(new File([new Uint8Array([0, 1, 2, 0])], "raw.bin"))
        data.items.add(new File(["%PDF-1.4"], "paper.pdf"))
        return data
      })
      await page.locator(".files").dispatchEvent("dragover", { dataTransfer: dropped })
      await page.locator(".files.is-dropping").waitFor()
      await page.locator(".files").dispatchEvent("drop", { dataTransfer: dropped })
      await row(page, "raw.bin").click()
      await page.getByText("This file can't be shown as text").waitFor()
      const [saved] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Download" }).click()
      ])
      assert.strictEqual(saved.suggestedFilename(), "raw.bin")
      await row(page, "paper.pdf").click()
      await page.getByText("This PDF is damaged").waitFor()
      const shown = await fetch(`${console.url}/api/files/download?path=paper.pdf&view=pdf`)
      assert.deepStrictEqual(
        [shown.headers.get("content-type"), shown.headers.get("content-disposition")],
        ["application/pdf", "inline"]
      )
    }))

  it("pages are shown without their scripts, and separated values as a table", () =>
    withPage(browser, {}, async (page) => {
      await write(
        "report.html",
        '<h1 id="t">Report</h1><script>document.getElementById("t").textContent = "ran"</script><img src="https://example.org/x.png">'
      )
      await write("boats.csv", 'name;length\n"Mary; Ann";12,5\n')
      const asked: Array<string> = []
      page.on("request", (request) => asked.push(request.url()))
      await open(page, "/knowledge/files/report.html")
      await editor(page).waitFor()
      await page.getByRole("button", { name: "Preview", exact: true }).click()
      const frame = page.locator(".text-preview iframe")
      await frame.contentFrame().getByRole("heading", { name: "Report" }).waitFor()
      assert.strictEqual(await frame.getAttribute("sandbox"), "")
      assert.isFalse(asked.some((url) => url.includes("example.org")))
      await open(page, "/knowledge/files/boats.csv")
      await editor(page).waitFor()
      await page.getByRole("button", { name: "Preview", exact: true }).click()
      await page.getByRole("columnheader", { name: "length" }).waitFor()
      await page.getByRole("cell", { name: "Mary; Ann" }).waitFor()
      assert.deepStrictEqual(await accessProblems(page), [])
      await keepPicture(page, "file-csv")
    }))

  it("names and texts of the log are never markup, and entries come by themselves", () =>
    withPage(browser, {}, async (page) => {
      for (const name of HOSTILE) await write(name, name)
      await open(page, "/knowledge/files")
      for (const name of HOSTILE) await page.getByRole("treeitem").filter({ hasText: name }).first().waitFor()
      await page.getByRole("treeitem").filter({ hasText: "onerror" }).first().click()
      await editor(page).waitFor()
      await open(page, "/operations/log")
      await page.locator(".log-live.is-live").waitFor()
      for (const message of HOSTILE) await send("POST", "/api/agentlog", { message, type: message, level: message })
      await page.locator(".log-text", { hasText: "onerror" }).first().waitFor()
      await send("POST", "/api/agentlog", {
        message: "x".repeat(60_000),
        data: { deep: { odd: [null, "<svg onload=alert(1)>"] } }
      })
      await page.locator(".log-line", { hasText: "xxxx" }).waitFor()
      await page.getByLabel("Filter log").fill("onload")
      await page.getByText(/2 of \d+/).waitFor()
      await page.getByLabel("Filter log").fill("no such words")
      await page.getByText("No entries found").waitFor()
      assert.strictEqual(await page.locator("main :is(img, iframe, script, [onerror], [onload])").count(), 0)
    }))

  it("without a connection what is typed is kept and said not to be saved; with it all goes on", () =>
    withPage(browser, { expectedErrors: [/ERR_INTERNET_DISCONNECTED/] }, async (page) => {
      const path = fresh("offline")
      await write(path, "before")
      await open(page, `/knowledge/files/${path}`)
      await editor(page).getByText("before").waitFor()
      await page.context().setOffline(true)
      await editor(page).click()
      await page.keyboard.press("Control+End")
      await page.keyboard.type(" and after")
      await page.keyboard.press("Control+s")
      await page.getByText("Not saved: Can't reach the console's server").waitFor()
      await page.context().setOffline(false)
      await page.getByRole("heading", { level: 1 }).click()
      await page.keyboard.press("Control+s")
      await page.locator(".save-state", { hasText: /^Saved$/ }).waitFor()
      assert.strictEqual((await stored(path)).content, "before and after")
      await editor(page).click()
      await page.keyboard.type("given up ")
      await page.getByRole("button", { name: "Discard" }).click()
      await page.locator(".save-state", { hasText: /^Saved$/ }).waitFor()
      await page.getByRole("button", { name: "Undo" }).click()
      await editor(page).getByText("given up").waitFor()
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await page.locator(".save-state", { hasText: /^Saved$/ }).waitFor()
    }))

  for (const width of [360, 768]) {
    it(`nothing scrolls sideways at ${width} pixels, nor with large text on a phone`, () =>
      withPage(browser, { size: width < 760 ? "phone" : "desktop" }, async (page) => {
        await page.setViewportSize({ width, height: 800 })
        await write(`a-name-that-is-quite-long-and-has-no-place-to-break-${"x".repeat(60)}-${width}.md`, "long")
        for (const place of [
          "knowledge/memory",
          "knowledge/documents/agents",
          "knowledge/files",
          "knowledge/files/lamp/plan.md",
          "knowledge/files/lamp/picture.svg",
          "operations/log"
        ]) {
          await open(page, `/${place}`)
          await page.locator(".screen-body, .two-steps").first().waitFor()
          await page
            .locator(".memory-card, .cm-content, .text-preview, .file-row, figure img, .log-line")
            .first()
            .waitFor()
          const name = place.replaceAll("/", "-")
          await keepPicture(page, `narrow-${width}-${name}`)
          const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
          assert.isAtMost(await sideways(), 0, place)
          if (width >= 760) continue
          await page.addStyleTag({ content: "html { font-size: 200% }" })
          assert.isAtMost(await sideways(), 0, `${place}, large text`)
        }
      }))
  }

  it("a tree of thousands of files keeps only what is in sight on the page", () =>
    withPage(browser, {}, async (page) => {
      const folder = join(console.workspace, "many")
      mkdirSync(folder)
      for (let index = 0; index < 3000; index++) {
        writeFileSync(join(folder, `file-${String(index).padStart(4, "0")}.txt`), String(index))
      }
      await open(page, "/knowledge/files")
      await row(page, "many").click()
      await row(page, "many/file-0000.txt").waitFor()
      assert.isBelow(await page.getByRole("treeitem").count(), 120)
      await row(page, "many/file-0000.txt").focus()
      await page.keyboard.press("End")
      await row(page, "USER.md").waitFor()
      await page.getByLabel("Filter files").fill("2718")
      await row(page, "many/file-2718.txt").click()
      await editor(page).getByText("2718").waitFor()
    }))
})

import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { fieldsOf } from "../../src/contract/looseFields.ts"
import { XSS_CORPUS } from "../../web/test/core/support/xssCorpus.ts"
import { accessProblems } from "./support/accessProblems.ts"
import { BOTH_SIZES, problemsInBothThemes } from "./support/bothThemes.ts"
import { keepPicture, withPage } from "./support/browser.ts"
import { jsonCalls } from "./support/jsonCalls.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

/** The browser asks before a page with unsaved text is left; the person says yes. */
const LEAVING = {
  prepare: async (page: Page) => {
    page.on("dialog", (dialog) => dialog.accept())
  }
}

describe("memory and documents", () => {
  const console = useConsole()
  const browser = useBrowser()

  const send = jsonCalls(console)
  const stored = async (path: string) => String(fieldsOf(await send("GET", path)).content)
  const sectionText = (title: string) => stored(`/api/memories/section?title=${encodeURIComponent(title)}`)
  const open = async (page: Page, path: string) => {
    await page.goto(`${console.url}${path}`)
    await page.getByRole("heading", { level: 1, name: "Knowledge" }).waitFor()
  }
  const section = (page: Page, title: string) => page.locator(`[data-section="${title}"]`)
  const item = (page: Page, text: string) => page.locator(".memory-item", { hasText: text })
  const editor = (page: Page) => page.locator(".editor .cm-content")
  const preview = (page: Page) => page.locator(".text-preview .markdown")
  const choose = async (page: Page, title: string, action: string, name = title) => {
    await section(page, title)
      .getByRole("button", { name: `Actions for ${name}` })
      .click()
    await page.getByRole("menuitem", { name: action, exact: true }).click()
  }

  for (const size of BOTH_SIZES) {
    it(`everybody can use them in both themes on a ${size}`, () =>
      withPage(browser, { size }, async (page) => {
        await open(page, "/knowledge/memory")
        await section(page, "Preferences").waitFor()
        await page.getByRole("button", { name: "Demo" }).click()
        await page.getByText("Started the demo").waitFor()
        assert.deepStrictEqual(await problemsInBothThemes(page, "memory", size), [])
        // Without a mouse, a tap on a memory opens its editor.
        if (size === "phone") await item(page, "Likes short answers").tap()
        else await section(page, "Preferences").locator("[data-edit-item]").first().click()
        await page.getByRole("button", { name: "Add a memory" }).click()
        await page.getByRole("dialog").waitFor()
        assert.deepStrictEqual(await problemsInBothThemes(page, "memory-add", size), [])
        await open(page, "/knowledge/documents")
        await page.getByRole("link", { name: /^SOUL\.md/ }).click()
        await preview(page).waitFor()
        assert.deepStrictEqual(await problemsInBothThemes(page, "documents", size), [])
        await page.getByRole("button", { name: "Edit", exact: true }).click()
        await editor(page).waitFor()
        assert.deepStrictEqual(await problemsInBothThemes(page, "documents-edit", size), [])
      }))
  }

  it("the documents open with the first one, where there is room beside the list", () =>
    withPage(browser, {}, async (page) => {
      await open(page, "/knowledge/documents")
      await page
        .getByRole("link", { name: /^SOUL\.md/ })
        .and(page.locator("[aria-current=page]"))
        .waitFor()
      await preview(page).waitFor()
      await page.setViewportSize({ width: 900, height: 800 })
      await preview(page).waitFor({ state: "detached" })
      await page.getByRole("link", { name: /^USER\.md/ }).click()
      await page.getByRole("link", { name: "All documents" }).click()
      await page.getByRole("link", { name: /^SOUL\.md/ }).waitFor()
    }))

  it("a memory is added, edited in place, deleted, and restored", () =>
    withPage(browser, {}, async (page) => {
      await open(page, "/knowledge/memory")
      await page.getByRole("button", { name: "Add a memory" }).click()
      await page.getByLabel("What to remember").fill("Drinks tea")
      await page.getByLabel("Section").fill("Drinks")
      await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click()
      await item(page, "Drinks tea").waitFor()
      await choose(page, "Drinks", "Add a memory here")
      await page.getByLabel("What to remember").fill("Never coffee after noon")
      await page.keyboard.press("Tab")
      await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click()
      await item(page, "Never coffee").waitFor()

      await item(page, "Drinks tea").getByRole("button", { name: /^Edit/ }).click()
      await page.getByLabel("Memory", { exact: true }).fill("Drinks green tea")
      await page.keyboard.press("Control+Enter")
      await item(page, "Drinks green tea").waitFor()
      assert.strictEqual(await sectionText("Drinks"), "- Drinks green tea\n- Never coffee after noon")

      await item(page, "Drinks green tea")
        .getByRole("button", { name: /^Delete/ })
        .click()
      await item(page, "Drinks green tea").waitFor({ state: "detached" })
      assert.strictEqual(await sectionText("Drinks"), "- Never coffee after noon")
      await page.getByRole("button", { name: "Undo" }).click()
      await item(page, "Drinks green tea").waitFor()
      assert.strictEqual(await sectionText("Drinks"), "- Drinks green tea\n- Never coffee after noon")

      await choose(page, "Drinks", "Delete section")
      await page.getByRole("dialog").getByRole("button", { name: "Delete section" }).click()
      await section(page, "Drinks").waitFor({ state: "detached" })
    }))

  it("on a phone a memory is opened by a tap or by its button, links in it are followed, and its editor deletes it", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      await send("POST", "/api/memories", { text: `Ask [the board](${console.url}/board) first`, section: "Rules" })
      await open(page, "/knowledge/memory")
      const opened = page.context().waitForEvent("page")
      await item(page, "Ask the board first").getByRole("link", { name: "the board" }).tap()
      await (await opened).close()
      assert.strictEqual(await page.getByLabel("Memory", { exact: true }).count(), 0)
      await item(page, "Ask the board first").getByRole("button", { name: /^Edit/ }).focus()
      await page.keyboard.press("Enter")
      await page.waitForFunction(() => document.activeElement?.matches("textarea") === true)
      await page.keyboard.press("Escape")
      await page.waitForFunction(() => document.activeElement?.matches(".memory-open") === true)
      await item(page, "Ask the board first").tap({ position: { x: 300, y: 20 } })
      await section(page, "Rules").getByRole("button", { name: "Delete", exact: true }).tap()
      await item(page, "Ask the board first").waitFor({ state: "detached" })
      assert.strictEqual(await page.getByText("Someone changed or deleted").count(), 0)
      await page.getByRole("button", { name: "Undo" }).tap()
      await item(page, "Ask the board first").waitFor()
    }))

  it("what is typed for a memory survives a reload, and a change of the agent underneath it", () =>
    withPage(browser, {}, async (page) => {
      await send("POST", "/api/memories", { text: "Sails on Sundays", section: "Hobbies" })
      await open(page, "/knowledge/memory")
      await item(page, "Sails on Sundays").getByRole("button", { name: /^Edit/ }).click()
      await page.getByLabel("Memory", { exact: true }).fill("Sails on Saturdays")
      await page.reload()
      assert.strictEqual(await page.getByLabel("Memory", { exact: true }).inputValue(), "Sails on Saturdays")
      await send("PUT", "/api/memories/section", { title: "Hobbies", content: "- Sold the boat" })
      await page.getByText("Someone changed or deleted this memory").waitFor()
      assert.strictEqual(await page.getByLabel("Memory", { exact: true }).inputValue(), "Sails on Saturdays")
      await page.getByRole("button", { name: "Save as new" }).click()
      await item(page, "Sails on Saturdays").locator("[data-edit-item]").waitFor()
      assert.strictEqual(await sectionText("Hobbies"), "- Sold the boat\n- Sails on Saturdays")
    }))

  it("sections are edited as text, and the search looks into the days as well", () =>
    withPage(browser, {}, async (page) => {
      await send("POST", "/api/memories", { text: "one", section: "Prose" })
      await open(page, "/knowledge/memory")
      await choose(page, "Prose", "Edit as text")
      await editor(page).click()
      await page.keyboard.press("Control+End")
      await page.keyboard.type("\n\nA whole paragraph.")
      // It says "Saved" before anything is typed, too.
      await page.locator(".save-state", { hasText: /^Unsaved$/ }).waitFor()
      await page.keyboard.press("Control+s")
      await page.locator(".save-state", { hasText: /^Saved$/ }).waitFor()
      assert.include(await sectionText("Prose"), "A whole paragraph.")
      await section(page, "Prose").getByRole("button", { name: "Close" }).click()
      await page.getByLabel("Search memory").fill("look around demo")
      await page.getByText("Started the demo and had a look around").waitFor()
      await section(page, "Prose").waitFor({ state: "detached" })
      await page.getByLabel("Search memory").fill("nothing at all")
      await page.getByText("No results").waitFor()
    }))

  it("a document that isn't there yet is begun with one press in the list, from which all files are one away", () =>
    withPage(browser, LEAVING, async (page) => {
      await open(page, "/knowledge/documents")
      await page.getByRole("link", { name: /^HEARTBEAT\.md.*Create$/ }).click()
      await editor(page).waitFor()
      await page.locator(".save-state", { hasText: /^New$/ }).waitFor()
      await page.getByRole("link", { name: "All files" }).click()
      await page.getByRole("treeitem", { name: /^SOUL\.md/ }).waitFor()
    }))

  it("a document is written, kept unsaved over a reload, and never overwritten", () =>
    withPage(browser, { ...LEAVING, expectedErrors: [/status of 409/] }, async (page) => {
      await open(page, "/knowledge/documents/identity")
      await page.getByRole("button", { name: "Create" }).click()
      await editor(page).click()
      await page.keyboard.type("My name is Ada")
      await page.locator(".save-state", { hasText: /^Unsaved$/ }).waitFor()
      await page.reload()
      await editor(page).getByText("My name is Ada").waitFor()
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await page.locator(".save-state", { hasText: /^Saved$/ }).waitFor()
      assert.strictEqual(await stored("/api/workspace/identity"), "My name is Ada")

      await send("PUT", "/api/workspace/identity", { content: "My name is Bea" })
      await editor(page).getByText("My name is Bea").waitFor()
      await editor(page).click()
      await page.keyboard.press("Control+End")
      await page.keyboard.type(" and I am kind")
      await send("PUT", "/api/workspace/identity", { content: "My name is Cleo" })
      await page.getByText("Someone else changed this").waitFor()
      await editor(page).getByText("My name is Bea and I am kind").waitFor()
      await page.keyboard.press("Control+s")
      await page.getByRole("group", { name: "Conflict 1 of 1" }).waitFor()
      await keepPicture(page, "conflict-light-desktop")
      assert.deepStrictEqual(await accessProblems(page), [])
      await page.getByRole("radio", { name: "Take theirs" }).check()
      await page.getByRole("button", { name: "Save merged text" }).click()
      await page.locator(".save-state", { hasText: /^Saved$/ }).waitFor()
      assert.strictEqual(await stored("/api/workspace/identity"), "My name is Cleo")
    }))

  it("a document opens to be read, one key before it's written, and what is unsaved opens to be written", () =>
    withPage(browser, LEAVING, async (page) => {
      await send("PUT", "/api/workspace/tools", { content: "# Bench\n\nA small saw." })
      await open(page, "/knowledge/documents/tools")
      await page.getByRole("heading", { level: 2, name: "TOOLS.md" }).waitFor()
      await preview(page).getByRole("heading", { name: "Bench" }).waitFor()
      assert.strictEqual(await editor(page).count(), 0)
      await send("PUT", "/api/workspace/tools", { content: "# Bench\n\nA large saw." })
      await preview(page).getByText("A large saw.").waitFor()

      await page.keyboard.press("e")
      await page.waitForFunction(() => document.activeElement?.closest(".editor") !== null)
      assert.strictEqual(await page.locator(".cm-lineNumbers, .cm-activeLine").count(), 0)
      await page.keyboard.press("Control+End")
      await page.keyboard.type(" And a plane.")
      await page.locator(".save-state", { hasText: /^Unsaved$/ }).waitFor()
      await page.getByRole("button", { name: "Preview" }).click()
      await preview(page).getByText("A large saw. And a plane.").waitFor()
      await page.locator(".save-state", { hasText: /^Unsaved$/ }).waitFor()
      await page.getByRole("link", { name: /^SOUL\.md/ }).click()
      await page.getByRole("heading", { level: 2, name: "SOUL.md" }).waitFor()
      await preview(page).waitFor()
      await page.getByRole("link", { name: /^TOOLS\.md/ }).click()
      await editor(page).getByText("A large saw. And a plane.").waitFor()
      await page.reload()
      await editor(page).getByText("A large saw. And a plane.").waitFor()
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await page.locator(".save-state", { hasText: /^Saved$/ }).waitFor()
      assert.strictEqual(await preview(page).count(), 0)
      assert.strictEqual(await stored("/api/workspace/tools"), "# Bench\n\nA large saw. And a plane.")
      await send("PUT", "/api/workspace/tools", { content: "" })
      await page.reload()
      await editor(page).waitFor()
    }))

  it("hostile memories and documents are text", () =>
    // One of them is a picture that is not there.
    withPage(browser, { expectedErrors: [/path=%2Ftmp%2Fa\.png/] }, async (page) => {
      const payloads = XSS_CORPUS.map((text) => `- ${text.replace(/\s*[\r\n\u2028\u2029]+\s*/g, " ")}`)
      await send("POST", "/api/memories", { text: "x", section: "<img src=x onerror=alert(1)>" })
      await send("PUT", "/api/memories/section", {
        title: "<img src=x onerror=alert(1)>",
        content: payloads.join("\n")
      })
      await send("PUT", "/api/workspace/heartbeat", { content: XSS_CORPUS.join("\n\n") })
      await open(page, "/knowledge/memory")
      await page.getByRole("heading", { name: "<img src=x onerror=alert(1)>" }).waitFor()
      await item(page, "alert(1)").first().waitFor()
      await open(page, "/knowledge/documents/heartbeat")
      await preview(page).waitFor()
      assert.strictEqual(await page.locator("main :is(iframe, object, embed, script, [onerror], [onload])").count(), 0)
    }))
})

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { accessProblems } from "./support/accessProblems.ts"
import { BOTH_SIZES, problemsInBothThemes } from "./support/bothThemes.ts"
import { keepPicture, withPage } from "./support/browser.ts"
import { useBrowser, useConsole, useGateway } from "./support/useConsole.ts"

const picker = (page: Page) => page.getByLabel("Agent", { exact: true })
const isPicked = (page: Page, agent: string) =>
  picker(page).locator(`option[value="${agent}"]:checked`).waitFor({ state: "attached" })
const editor = (page: Page) => page.locator(".editor .cm-content")
const item = (page: Page, text: string) => page.locator(".memory-item", { hasText: text })
const stateIs = (page: Page, text: string) =>
  page.locator(".save-state", { hasText: new RegExp(`^${text}$`) }).waitFor()
/** Saves what was typed, which says `Saved` also before it knows of it. */
const save = async (page: Page) => {
  await stateIs(page, "Unsaved")
  await page.keyboard.press("Control+s")
  await stateIs(page, "Saved")
}
const agentIn = (page: Page) => new URL(page.url()).searchParams.get("agent")

/** The browser asks before a page with unsaved text is left; the person says yes. */
const LEAVING = {
  prepare: async (page: Page) => {
    page.on("dialog", (dialog) => dialog.accept())
  }
}

describe("the knowledge of several agents", () => {
  const console = useConsole()
  const browser = useBrowser()
  const place = (agent: "main" | "coder") =>
    agent === "main" ? console.workspace : join(dirname(console.workspace), "workspace-coder")
  const stored = (agent: "main" | "coder", path: string) => readFileSync(join(place(agent), path), "utf8")
  const open = async (page: Page, path: string) => {
    await page.goto(`${console.url}${path}`)
    await page.getByRole("heading", { level: 1, name: "Knowledge" }).waitFor()
  }

  for (const size of BOTH_SIZES) {
    it(`everybody can choose one in both themes on a ${size}`, () =>
      withPage(browser, { size }, async (page) => {
        await open(page, "/knowledge/memory?agent=coder")
        await item(page, "Small functions, plain names").waitFor()
        await isPicked(page, "coder")
        assert.deepStrictEqual(await problemsInBothThemes(page, "agents-memory", size), [])
        await page.getByRole("link", { name: "Documents" }).click()
        await page.getByRole("link", { name: /^SOUL\.md/ }).click()
        await page.locator(".text-preview").getByText("Careful and brief").waitFor()
        assert.deepStrictEqual(await problemsInBothThemes(page, "agents-documents", size), [])
        if (size === "phone") await page.getByRole("link", { name: "All documents" }).click()
        await page.getByRole("link", { name: /^Files/ }).click()
        await page.getByRole("treeitem", { name: "lamp.ts" }).click()
        await editor(page).getByText("Seconds the lamp stays dark").waitFor()
        assert.deepStrictEqual(await problemsInBothThemes(page, "agents-files", size), [])
      }))
  }

  it("is chosen by keyboard, stays in the address and for the next visit, and the way back leads back", () =>
    withPage(browser, {}, async (page) => {
      await open(page, "/knowledge")
      await item(page, "Likes short answers").waitFor()
      await page.waitForURL(/\/knowledge\?agent=main$/)
      await picker(page).focus()
      await page.keyboard.press("ArrowDown")
      await item(page, "Small functions, plain names").waitFor()
      await item(page, "Likes short answers").waitFor({ state: "detached" })
      assert.strictEqual(agentIn(page), "coder")
      assert.isTrue(await picker(page).evaluate((field) => field === document.activeElement), "the focus stays")
      await page.getByRole("link", { name: "Board" }).first().click()
      await page.getByRole("link", { name: "Knowledge" }).first().click()
      await item(page, "Small functions, plain names").waitFor()
      assert.strictEqual(agentIn(page), "coder")
      await open(page, "/knowledge/documents")
      await page.waitForURL(/agent=coder/)
      await picker(page).selectOption("main")
      await page.waitForURL(/agent=main/)
      await page.goBack()
      await page.waitForURL(/agent=coder/)
      await isPicked(page, "coder")
      await page.reload()
      await page.waitForURL(/agent=coder/)
      await isPicked(page, "coder")
    }))

  it("comes without moving anything", () =>
    withPage(browser, {}, async (page) => {
      let answer = () => {}
      const asked = new Promise<void>((resolve) => {
        answer = resolve
      })
      await page.route("**/api/agents", async (route) => {
        await asked
        await route.continue()
      })
      await open(page, "/knowledge/memory")
      await item(page, "Likes short answers").waitFor()
      assert.strictEqual(await picker(page).count(), 0)
      const topOf = async () => (await page.getByRole("navigation", { name: "Knowledge" }).boundingBox())?.y
      const before = await topOf()
      answer()
      await picker(page).waitFor()
      assert.strictEqual(await topOf(), before)
    }))

  it("keeps a memory for the agent chosen alone, and follows what that agent writes", () =>
    withPage(browser, {}, async (page) => {
      await open(page, "/knowledge/memory?agent=coder")
      await page.getByRole("button", { name: "Add a memory" }).click()
      await page.getByLabel("What to remember").fill("Reviews on Mondays")
      await page.getByLabel("Section").fill("Habits")
      await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click()
      await item(page, "Reviews on Mondays").waitFor()
      assert.include(stored("coder", "MEMORY.md"), "Reviews on Mondays")
      assert.notInclude(stored("main", "MEMORY.md"), "Reviews on Mondays")
      writeFileSync(join(place("coder"), "MEMORY.md"), "## Habits\n- Reviews on Tuesdays\n")
      await item(page, "Reviews on Tuesdays").waitFor()
    }))

  it("drafts of the same document stay separate, also over a reload, and the picker shows them", () =>
    withPage(browser, LEAVING, async (page) => {
      for (const agent of ["main", "coder"]) {
        await open(page, `/knowledge/documents/user?agent=${agent}`)
        const write = page.getByRole("button", { name: agent === "coder" ? "Create" : "Edit", exact: true })
        await write.click()
        await editor(page).click()
        await page.keyboard.press("Control+End")
        await page.keyboard.type(` typed for ${agent}`)
        await page.locator(".save-state", { hasText: /^Unsaved$/ }).waitFor()
      }
      await picker(page).selectOption({ label: "main · 1 unsaved" })
      await editor(page).getByText("typed for main").waitFor()
      await page.reload()
      await editor(page).getByText("typed for main").waitFor()
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await stateIs(page, "Saved")
      assert.match(stored("main", "USER.md"), /typed for main$/)
      await picker(page).selectOption({ label: "Coder · 1 unsaved" })
      await editor(page).getByText("typed for coder").waitFor()
      writeFileSync(join(place("coder"), "USER.md"), "by the agent itself")
      await page.getByText("Someone else changed this").waitFor()
      await picker(page).selectOption("main")
      await page.locator(".text-preview").getByText("typed for main").waitFor()
      assert.strictEqual(await page.getByText("Someone else changed this").count(), 0)
      await picker(page).selectOption("coder")
      await editor(page).getByText("typed for coder").waitFor()
      await page.getByText("Someone else changed this").waitFor()
    }))

  it("files are made, edited, uploaded, followed and deleted in the workspace of the agent chosen", () =>
    withPage(browser, {}, async (page) => {
      writeFileSync(join(place("main"), "same.md"), "of main")
      writeFileSync(join(place("coder"), "same.md"), "of coder")
      await open(page, "/knowledge/files/same.md?agent=coder")
      await editor(page).getByText("of coder").click()
      await page.keyboard.press("Control+End")
      await page.keyboard.type(", edited")
      await save(page)
      assert.strictEqual(stored("coder", "same.md"), "of coder, edited")
      assert.strictEqual(stored("main", "same.md"), "of main")
      writeFileSync(join(place("main"), "same.md"), "of main, meanwhile")
      writeFileSync(join(place("coder"), "same.md"), "by the coder")
      await editor(page).getByText("by the coder").waitFor()
      await page.locator("input[type=file]").setInputFiles({
        name: "up.txt",
        mimeType: "text/plain",
        buffer: Buffer.from("uploaded")
      })
      await page.getByRole("treeitem", { name: "up.txt" }).click()
      await editor(page).getByText("uploaded").waitFor()
      assert.strictEqual(stored("coder", "up.txt"), "uploaded")
      const download = page.waitForEvent("download")
      await page.getByRole("button", { name: "Actions for up.txt" }).last().click()
      await page.getByRole("menuitem", { name: "Download" }).click()
      assert.strictEqual(readFileSync(await (await download).path(), "utf8"), "uploaded")
      await picker(page).selectOption("main")
      await page.waitForURL(/\/knowledge\/files\?agent=main$/)
      await page.getByRole("treeitem", { name: "same.md" }).click()
      await editor(page).getByText("of main, meanwhile").waitFor()
      assert.strictEqual(await page.getByRole("treeitem", { name: "up.txt" }).count(), 0)
      assert.strictEqual(await page.locator(".file-tab").count(), 1, "each agent has tabs of its own")
    }))

  it("a session leads to the knowledge of its agent", () =>
    withPage(browser, {}, async (page) => {
      writeFileSync(join(place("coder"), "MEMORY.md"), "## Bench\n- By the window\n")
      await page.goto(`${console.url}/chat/agent:coder:main`)
      await page.getByRole("button", { name: "More for this conversation" }).click()
      await page.getByRole("menuitem", { name: "Knowledge" }).click()
      await page.getByRole("heading", { level: 1, name: "Knowledge" }).waitFor()
      await item(page, "By the window").waitFor()
      assert.strictEqual(agentIn(page), "coder")
      await page.goto(`${console.url}/chat/agent:main:main`)
      await page.getByRole("button", { name: "More for this conversation" }).click()
      await page.getByRole("menuitem", { name: "Knowledge" }).click()
      await item(page, "Likes short answers").waitFor()
      assert.strictEqual(agentIn(page), "main")
    }))

  it("of an agent that is not there it says so, and offers the default one", () =>
    withPage(browser, {}, async (page) => {
      await open(page, "/knowledge/documents?agent=nobody")
      await page.getByText("Agent not found").waitFor()
      await page.getByText("The gateway has no agent called nobody").waitFor()
      assert.deepStrictEqual(await accessProblems(page), [])
      await page.getByRole("button", { name: "Show the default agent" }).click()
      await page.getByRole("link", { name: /^SOUL\.md/ }).waitFor()
    }))
})

describe("the knowledge of agents on a gateway of their own", () => {
  const home = mkdtempSync(join(tmpdir(), "agent-console-agents-"))
  beforeAll(() => mkdirSync(join(home, "workspace")))
  afterAll(() => rmSync(home, { recursive: true, force: true }))
  const gateway = useGateway({ home, agents: [{ id: "later", name: "Later" }] })
  const single = useGateway({ home })
  const several = useConsole(() => ({ ...gateway.env, GATEWAY_HOME: home }))
  const one = useConsole(() => ({ ...single.env, GATEWAY_HOME: home }))
  const browser = useBrowser()

  it("says that a workspace is not there yet, and makes it with the first save", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      await page.goto(`${several.url}/knowledge/documents/soul?agent=later`)
      await page.getByText("Later has no workspace yet").waitFor()
      assert.deepStrictEqual(await accessProblems(page), [])
      await keepPicture(page, "agents-newcomer-light-phone")
      await page.getByRole("button", { name: "Create" }).click()
      await editor(page).click()
      await page.keyboard.type("Always late")
      await save(page)
      assert.strictEqual(readFileSync(join(home, "workspace-later", "SOUL.md"), "utf8"), "Always late")
      await page.getByText("has no workspace yet").waitFor({ state: "detached" })
    }))

  it("has no picker and no agent in the address where there is one agent", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${one.url}/knowledge/memory?agent=main`)
      await page.waitForURL(/\/knowledge\/memory$/)
      await page.getByText("No memories yet").waitFor()
      assert.strictEqual(await picker(page).count(), 0)
    }))
})

import { assert, describe, it } from "@effect/vitest"
import type { Locator, Page } from "playwright-core"
import { fieldsOf, recordsOf } from "../../src/contract/looseFields.ts"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, type Size, withPage } from "./support/browser.ts"
import { connected, finishedAnswer, idle, openNewSession, say } from "./support/conversation.ts"
import { gatewayCalls } from "./support/gatewayHistory.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

const MAIN = "agent:main:main"
const XSS = '"><img src=x onerror=alert(1)> <b>bold</b>'

describe("the sessions", () => {
  const console = useConsole()
  const browser = useBrowser()

  const keysOf = async (): Promise<ReadonlyArray<string>> => {
    const [answer] = await gatewayCalls(console.url, "sessions.list", [{ limit: 100 }])
    return recordsOf(fieldsOf(answer).sessions).map(({ key }) => String(key))
  }

  const showList = async (page: Page): Promise<void> => {
    const menu = page.locator("[data-open-sessions]")
    if (!(await menu.isVisible())) return
    await menu.click()
    await page.locator(".shell.is-drawer-open").waitFor()
  }
  const rowOf = (page: Page, key: string): Locator => page.locator(`a[data-session="${key}"]`)
  const openMenu = async (page: Page, key: string): Promise<Locator> => {
    await page.locator(`[data-session-menu="${key}"]`).click()
    const menu = page.getByRole("menu")
    await menu.waitFor()
    return menu
  }

  const sizes: ReadonlyArray<Size> = ["desktop", "phone"]
  for (const size of sizes)
    it(`are renamed, emptied, deleted and brought back on a ${size}`, () =>
      withPage(browser, { size, theme: size === "phone" ? "dark" : "light" }, async (page) => {
        const key = await openNewSession(page, console.url)
        await say(page, `good morning ${size}`)
        await finishedAnswer(page, "You said")
        await showList(page)

        await openMenu(page, key)
        await keepPicture(page, `session-menu-${size}`)
        assert.deepStrictEqual(await accessProblems(page), [])
        await page.getByRole("menuitem", { name: "Rename…" }).click()
        const dialog = page.getByRole("dialog", { name: "Rename session" })
        await dialog.getByLabel("Name").fill(`${XSS} ${size}`)
        await keepPicture(page, `session-rename-${size}`)
        assert.deepStrictEqual(await accessProblems(page), [])
        await dialog.getByRole("button", { name: "Save" }).click()
        await dialog.waitFor({ state: "detached" })
        await rowOf(page, key).getByText(`${XSS} ${size}`).waitFor()

        await openMenu(page, key)
        await page.getByRole("menuitem", { name: "Clear…" }).click()
        const question = page.getByRole("dialog", { name: "Clear this session?" })
        await keepPicture(page, `session-empty-${size}`)
        await question.getByRole("button", { name: "Clear" }).click()
        await question.waitFor({ state: "detached" })
        await page.locator(".message.is-user").waitFor({ state: "detached" })

        await openMenu(page, key)
        await page.getByRole("menuitem", { name: "Delete" }).click()
        await rowOf(page, key).waitFor({ state: "detached" })
        await page.getByRole("button", { name: "Undo" }).click()
        await page.locator(`a[data-session="${key}"][aria-current]`).waitFor({ state: "attached" })
        await showList(page)
        await openMenu(page, key)
        await page.getByRole("menuitem", { name: "Delete" }).click()
        await rowOf(page, key).waitFor({ state: "detached" })
        await page.getByRole("button", { name: "Dismiss" }).click()
        await page.reload()
        await connected(page)
        await page.locator("a[data-session]").first().waitFor({ state: "attached" })
        assert.strictEqual(await rowOf(page, key).count(), 0)
      }))

  it("are renamed, deleted and left alone by the keyboard", () =>
    withPage(browser, {}, async (page) => {
      const key = await openNewSession(page, console.url)
      await say(page, "by keyboard")
      await finishedAnswer(page, "You said")
      await rowOf(page, key).focus()
      await page.keyboard.press("F2")
      await page.getByRole("dialog").waitFor()
      await page.keyboard.type("Typed name")
      await page.keyboard.press("Enter")
      await rowOf(page, key).getByText("Typed name").waitFor()
      await rowOf(page, key).focus()
      await page.keyboard.press("Shift+F10")
      await page.getByRole("menu").waitFor()
      await page.keyboard.press("Escape")
      await page.getByRole("menu").waitFor({ state: "hidden" })
      await rowOf(page, key).focus()
      await page.keyboard.press("Delete")
      await rowOf(page, key).waitFor({ state: "detached" })
      await page.getByRole("button", { name: "Undo" }).press("Enter")
      await rowOf(page, key).waitFor()
    }))

  it("begin with the agent and the model of choice, and keep what was typed before the choice", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      const agents = page.getByLabel("Agent", { exact: true })
      await page.getByLabel("Message", { exact: true }).fill("/status")
      await keepPicture(page, "session-new")
      assert.deepStrictEqual(await accessProblems(page), [])
      await agents.selectOption({ index: 1 })
      await page.waitForURL(/\/chat\/agent:(?!main:)/)
      const name = (await agents.locator("option:checked").textContent()) ?? ""
      await page.getByRole("heading", { level: 2, name: `What should ${name} work on?` }).waitFor()
      await page.locator(".chat-head").getByText(name, { exact: true }).waitFor()
      assert.strictEqual(await page.getByLabel("Message", { exact: true }).inputValue(), "/status")
      await page.locator("#composer-model").click()
      await page.getByRole("option", { name: "swift" }).click()
      await page.keyboard.press("Escape")
      await page.getByRole("button", { name: "Send message" }).click()
      await finishedAnswer(page, "demo/swift")
      assert.strictEqual(await page.locator(".start-pills").count(), 0)
    }))

  it("are stopped from the list", () =>
    withPage(browser, {}, async (page) => {
      const key = await openNewSession(page, console.url)
      await say(page, "hang")
      await page.locator(".message.is-assistant", { hasText: "until you press Stop" }).waitFor()
      await page.locator(`a[data-session="${key}"].is-working`).waitFor()
      await openMenu(page, key)
      await page.getByRole("menuitem", { name: "Stop" }).click()
      await idle(page)
      await page.locator(".run-stopped").waitFor()
    }))

  it("stay a light list when there are hundreds", () =>
    withPage(browser, {}, async (page) => {
      await gatewayCalls(
        console.url,
        "sessions.patch",
        Array.from({ length: 230 }, (_, index) => ({ key: `agent:main:many-${index}`, label: `Numbered ${index}` }))
      )
      await page.goto(console.url)
      await connected(page)
      await page.getByText("Numbered 229").waitFor()
      assert.isAtMost(await page.locator("a[data-session]").count(), 70)
      await page.getByRole("button", { name: "Show older sessions" }).click()
      await page.getByText("Numbered 120", { exact: true }).waitFor()
      await page.getByLabel("Filter sessions").fill("numbered 3")
      await page.getByRole("button", { name: "Search older sessions" }).click()
      await page.getByText("Numbered 3", { exact: true }).waitFor()
      await keepPicture(page, "sessions-filtered")
    }))

  it("are on the gateway from their first message on; left alone, nothing is left but a draft", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${console.url}/chat/${MAIN}`)
      await connected(page)
      await rowOf(page, MAIN).waitFor()
      const before = await keysOf()
      const key = await openNewSession(page, console.url)
      await page.locator("#composer").fill("begun, not sent")
      await rowOf(page, MAIN).click()
      await page.getByRole("heading", { level: 1, name: "Main" }).waitFor()
      assert.deepStrictEqual(await keysOf(), before)
      assert.strictEqual(await rowOf(page, key).count(), 0)
      await page.reload()
      await connected(page)
      assert.strictEqual(await openNewSession(page, console.url), key)
      await page.waitForFunction(() => {
        const field = document.querySelector("#composer")
        return field instanceof HTMLTextAreaElement && field.value === "begun, not sent"
      })
      await say(page, "now sent")
      await finishedAnswer(page, "You said")
      assert.include(await keysOf(), key)
      assert.notStrictEqual(await openNewSession(page, console.url), key)
    }))

  it("are shown as chats, jobs or cards, as it was left, and fold a job's runs by the keyboard", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${console.url}/chat/${MAIN}`)
      await connected(page)
      await rowOf(page, MAIN).waitFor()
      const kinds = page.getByRole("group", { name: "Show" })
      assert.strictEqual(await page.locator("a[data-session*=':cron:']").count(), 0)
      await kinds.getByRole("button", { name: "Jobs" }).click()
      await page.locator("a[data-session*=':cron:']", { hasText: "Morning report" }).waitFor()
      assert.strictEqual(await rowOf(page, MAIN).count(), 0)
      assert.deepStrictEqual(await accessProblems(page), [])
      await page.reload()
      await connected(page)
      await page.locator("a[data-session*=':cron:']").first().waitFor()
      const [job] = await gatewayCalls(console.url, "cron.list", [{ includeDisabled: true }])
      const report = recordsOf(fieldsOf(job).jobs).find(({ name }) => name === "Morning report")
      await gatewayCalls(console.url, "cron.run", [{ id: report?.id, mode: "force" }])
      const fold = page.locator("[data-session-fold]")
      await fold.waitFor()
      const row = page.locator(".session-row:has([data-session-fold]) a[data-session]")
      await row.focus()
      await page.keyboard.press("ArrowRight")
      await page.locator(".depth-1 a[data-session*=':run:']").nth(1).waitFor()
      await keepPicture(page, "sessions-jobs")
      await page.keyboard.press("ArrowLeft")
      await page.locator(".depth-1").first().waitFor({ state: "detached" })
      await page.getByLabel("Filter sessions").fill("main")
      await rowOf(page, MAIN).waitFor()
    }))
})

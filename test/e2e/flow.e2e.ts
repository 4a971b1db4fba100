import { assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { boardCalls } from "./support/boardCalls.ts"
import { BOTH_SIZES, problemsInBothThemes } from "./support/bothThemes.ts"
import { withPage } from "./support/browser.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

const cardOf = (page: Page, title: string) =>
  page.locator(".board .card").filter({ has: page.locator(".card-title").getByText(title, { exact: true }) })
const titleOf = (page: Page, title: string) => cardOf(page, title).locator(".card-title")
const noteOn = (page: Page, title: string, note: string) =>
  cardOf(page, title).locator(".card-wait", { hasText: note }).waitFor()
const undo = (page: Page) => page.getByRole("button", { name: "Undo" }).first().click()

describe("cards that wait for each other", () => {
  const console = useConsole()
  const browser = useBrowser()
  const board = boardCalls(console)
  const ids: Record<string, string> = {}

  beforeAll(async () => {
    await board.clear()
    const add = async (name: string, fields: object = {}) => {
      const { id } = await board.create({ title: name, ...fields })
      ids[name] = id
      return id
    }
    const plan = await add("Plan", { status: "done" })
    const build = await add("Build", { after: [plan] })
    await add("Ship", { after: [build], parentId: plan })
    await add("Wait an hour", { startAt: Date.now() + 3_600_000 })
    await add("Alone")
    await add("Other")
  })

  it("say on their faces what they wait for, until that's over", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${console.url}/board`)
      await noteOn(page, "Ship", "after Build")
      await noteOn(page, "Wait an hour", "at ")
      await board.patch(ids.Build ?? "", { status: "done" })
      await cardOf(page, "Ship").locator(".card-wait").waitFor({ state: "detached" })
      await board.patch(ids.Build ?? "", { status: "todo" })
      await noteOn(page, "Ship", "after Build")
    }))

  it("are linked by the keyboard alone, and unlinked by Undo", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${console.url}/board`)
      await titleOf(page, "Alone").focus()
      await page.keyboard.press("w")
      await page.locator("#link-card").waitFor()
      await page.keyboard.type("othe")
      await page.getByRole("option", { name: "Other" }).waitFor()
      await page.keyboard.press("Enter")
      await noteOn(page, "Alone", "after Other")
      await undo(page)
      await cardOf(page, "Alone").locator(".card-wait").waitFor({ state: "detached" })
    }))

  it("are linked by dropping one onto another while Shift is held", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${console.url}/board`)
      await cardOf(page, "Alone").hover()
      await page.mouse.down()
      await page.keyboard.down("Shift")
      const target = await cardOf(page, "Other").boundingBox()
      assert.isNotNull(target)
      const { height = 0, width = 0, x = 0, y = 0 } = target ?? {}
      await page.mouse.move(x + width / 2, y + height / 2, { steps: 8 })
      await page.locator('[data-drop="onto"]').waitFor()
      await page.mouse.up()
      await page.keyboard.up("Shift")
      await noteOn(page, "Alone", "after Other")
      await undo(page)
      await cardOf(page, "Alone").locator(".card-wait").waitFor({ state: "detached" })
    }))

  it("are linked, scheduled and started by themselves by their fields; what can't be started says why", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${console.url}/board/${ids.Other}`)
      const after = page.getByRole("combobox", { name: "Starts after" })
      await after.click()
      await after.fill("alone")
      await page.keyboard.press("Enter")
      await page.getByRole("switch", { name: "Starts by itself" }).check()
      await page.getByRole("combobox", { name: "After a failure" }).selectOption("2")
      await page.getByLabel("Starts at").fill("2040-05-06T07:08")
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await page.getByText("“Alone” isn't done yet.").waitFor()
      await page.getByRole("button", { name: "Start anyway" }).waitFor()
      const { items } = await board.call("GET", "tasks?limit=200")
      const saved = items.find(({ id }: { readonly id: string }) => id === ids.Other)
      assert.deepInclude(saved, {
        after: [ids.Alone],
        startAt: new Date(2040, 4, 6, 7, 8).getTime(),
        autoStart: true,
        retry: { max: 2, waitMin: 5 }
      })
      await board.patch(ids.Other ?? "", { after: null, startAt: null, autoStart: null, retry: null })
      await page.getByRole("button", { name: "Run with an agent" }).waitFor()
    }))

  it("start anyway from their menu only after a question that says what they wait for", () =>
    withPage(browser, { expectedErrors: [/status of 409/] }, async (page) => {
      const { id } = await board.create({ title: "Hurry", after: [ids.Other] })
      await page.goto(`${console.url}/board`)
      const run = async () => {
        await cardOf(page, "Hurry").locator("[data-card-menu]").click()
        await page.getByRole("menuitem", { name: "Run with an agent" }).click()
      }
      const dialog = page.getByRole("dialog", { name: "Start “Hurry” anyway?" })
      await run()
      await dialog.getByText("“Other” isn't done yet.").waitFor()
      await dialog.getByRole("button", { name: "Cancel" }).click()
      await dialog.waitFor({ state: "detached" })
      await page.waitForFunction(() => document.activeElement?.textContent?.includes("Hurry") === true)
      assert.strictEqual((await board.find(id))?.status, "todo")
      await run()
      await dialog.getByRole("button", { name: "Start anyway" }).click()
      await page.locator(".notice, [data-board-said]", { hasText: "The agent is working on “Hurry”." }).waitFor({
        state: "attached"
      })
      assert.notStrictEqual((await board.find(id))?.status, "todo")
    }))

  it("get parts of their own, which are counted", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${console.url}/board/${ids.Build}`)
      await page.getByRole("link", { name: "Add a part" }).click()
      await page.getByRole("textbox", { name: "Title" }).fill("Lay bricks")
      await page.keyboard.press("Control+Enter")
      await page.locator(".task-family .card-link", { hasText: "Lay bricks" }).waitFor()
      await page.getByText("0 of 1 part done").first().waitFor({ state: "attached" })
    }))

  it("are shown by whether they're ready or blocked, also in a saved view", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${console.url}/board`)
      await page.getByRole("button", { name: "Blocked", exact: true }).click()
      await titleOf(page, "Build").waitFor({ state: "detached" })
      await titleOf(page, "Ship").waitFor()
      await page.getByRole("link", { name: "Save view" }).click()
      await page.getByRole("textbox", { name: "Name" }).fill("Stuck")
      await page.keyboard.press("Enter")
      await page.locator(".view-tab[aria-current]", { hasText: "Stuck" }).waitFor()
      await page.locator(".view-tab", { hasText: "All cards" }).click()
      await titleOf(page, "Build").waitFor()
      await page.locator(".view-tab", { hasText: "Stuck" }).click()
      await titleOf(page, "Build").waitFor({ state: "detached" })
      const { views } = await board.call("GET", "views")
      assert.deepStrictEqual(views[0].filter, { blocked: true })
    }))

  it("are a graph that is walked by arrows and read as a list", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${console.url}/board/${ids.Build}`)
      await page.getByRole("link", { name: "Show as a graph" }).click()
      const nodes = page.locator(".family-card")
      await nodes.first().waitFor()
      await page.waitForFunction(() => document.activeElement?.textContent?.startsWith("Build") === true)
      await page.keyboard.press("ArrowLeft")
      await page.waitForFunction(() => document.activeElement?.textContent?.startsWith("Plan") === true)
      await page.keyboard.press("End")
      await page.keyboard.press("Enter")
      await page.locator(".family").waitFor({ state: "detached" })
      assert.notInclude(page.url(), "panel=family")
    }))

  it("come again by a schedule, whose next five times are said, and whose cards can be made at once", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${console.url}/board`)
      await page.getByRole("button", { name: "More board actions" }).click()
      await page.getByRole("menuitem", { name: "Recurring cards and templates" }).click()
      await page.getByRole("button", { name: "New recurring card" }).click()
      await page.getByRole("textbox", { name: "Title" }).fill("Water the plants {n}")
      await page.getByRole("combobox", { name: "Repeat" }).selectOption("weekly")
      await page.getByRole("button", { name: "Save", exact: true }).click()
      const row = page.locator(".routine", { hasText: "Water the plants" })
      await row.locator("summary").click()
      await row.locator(".routine-times li").nth(4).waitFor()
      await row.getByRole("button", { name: "Run Water the plants {n} now" }).click()
      await page.locator(".card-title", { hasText: "Water the plants 1" }).waitFor()
      await row.getByRole("switch").uncheck()
      await row.getByText("Paused").waitFor()
      const { routines } = await board.call("GET", "routines")
      assert.deepInclude(routines[0], { enabled: false, skipWhileOpen: true })
      assert.strictEqual(routines[0].schedule.cron, "0 9 * * 1-5")
      await row.getByRole("button", { name: "More for" }).click()
      await page.getByRole("menuitem", { name: "Delete" }).click()
      await row.waitFor({ state: "detached" })
      await page.getByRole("button", { name: "Close" }).first().click()
      await undo(page)
      assert.lengthOf((await board.call("GET", "routines")).routines, 1)
    }))

  it("begin with a template that was made of a card", () =>
    withPage(browser, {}, async (page) => {
      const checklist = [{ text: "Collect" }]
      const { id } = await board.create({
        title: "Release notes",
        labels: ["release"],
        description: "Short",
        checklist
      })
      await page.goto(`${console.url}/board/${id}`)
      await page.getByRole("button", { name: "More card actions" }).click()
      await page.getByRole("menuitem", { name: "Save as a template" }).click()
      await page.locator(".notice", { hasText: "Saved the template" }).waitFor()
      await page.goto(`${console.url}/board?panel=new`)
      await page.getByRole("combobox", { name: "Template" }).selectOption({ label: "Release notes" })
      await page.getByRole("textbox", { name: "Title" }).fill("Notes of version 2")
      await page.keyboard.press("Control+Enter")
      await titleOf(page, "Notes of version 2").waitFor()
      const { items } = await board.call("GET", "tasks?q=Notes%20of%20version")
      assert.deepInclude(items[0], { labels: ["release"], description: "Short" })
      assert.deepInclude(items[0].checklist[0], { text: "Collect", done: false })
    }))

  it("start by themselves as many at once as the board's settings say", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${console.url}/board?panel=settings`)
      const save = page.getByRole("button", { name: "Save", exact: true })
      await page.getByLabel("Cards at once").fill("51")
      await save.click()
      await page.getByText("1 to 50 cards can run at once.").waitFor()
      await page.getByLabel("Cards at once").fill("7")
      await page.getByLabel("Of these with one agent").fill("2")
      await page.getByLabel("Cards in the quick view").fill("9")
      await save.click()
      await page.locator("#settings-total").waitFor({ state: "detached" })
      const config = await board.call("GET", "config")
      assert.deepInclude(config, { parallel: { total: 7, perAgent: 2, paused: false }, quickViewLimit: 9 })
    }))

  for (const size of BOTH_SIZES) {
    it(`axe finds nothing in both themes on a ${size}`, () =>
      withPage(browser, { size }, async (page) => {
        await page.goto(`${console.url}/board/${ids.Build}`)
        await page.locator(".flow-fields").waitFor()
        assert.deepStrictEqual(await problemsInBothThemes(page, "flow-card", size), [])
        await page.goto(`${console.url}/board/${ids.Build}?panel=family`)
        await page.locator(".family-card").first().waitFor()
        assert.deepStrictEqual(await problemsInBothThemes(page, "flow-graph", size), [])
        await page.goto(`${console.url}/board?panel=recurring`)
        await page.locator(".routine").first().waitFor()
        assert.deepStrictEqual(await problemsInBothThemes(page, "flow-recurring", size), [])
      }))
  }
})

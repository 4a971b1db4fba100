import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { fieldsOf } from "../../src/contract/looseFields.ts"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, type Size, withPage } from "./support/browser.ts"
import { connected, finishedAnswer, say } from "./support/conversation.ts"
import { jsonCalls } from "./support/jsonCalls.ts"
import { useBrowser, useConsole, useGateway } from "./support/useConsole.ts"

describe("several gateways", () => {
  const first = useGateway({ generation: "new", tokenMs: 5 })
  const second = useGateway({ generation: "old", tokenMs: 5 })
  const third = useGateway({ generation: "new", tokenMs: 5, seed: true })
  const console = useConsole(() => ({ ...first.env, AGENT_NAME: "Home" }))
  const browser = useBrowser()
  const call = jsonCalls(console)

  const row = (page: Page, key: string) => page.locator(`[data-session="${key}"]`)
  const drawer = async (page: Page, size: Size) => {
    if (size === "phone") await page.getByRole("button", { name: "Sessions" }).first().click()
  }
  const mark = (page: Page, key: string) => row(page, key).locator(".gateway-mark")

  it("nothing of them is to be seen while there's only one", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${console.url}/chat`)
      await connected(page)
      await row(page, "agent:main:main").waitFor()
      assert.strictEqual(await page.locator(".gateway-mark").count(), 0)
      await page.goto(`${console.url}/board?panel=new`)
      await page.locator("#task-agent").waitFor()
      assert.strictEqual(await page.locator("#task-gateway").count(), 0)
    }))

  it("one is added in the settings while a conversation is open elsewhere, and its sessions appear there", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${console.url}/chat`)
      await row(page, "agent:main:main").waitFor()
      const settings = await page.context().newPage()
      await settings.goto(`${console.url}/settings/gateways`)
      await settings.getByRole("button", { name: "Add gateway" }).click()
      const form = settings.getByRole("form", { name: "Add a gateway" })
      await form.getByRole("textbox", { name: "Name" }).and(settings.locator(":focus")).waitFor()
      await form.getByRole("textbox", { name: "Name" }).fill("Workshop")
      await form.getByRole("textbox", { name: "Address" }).fill("workshop:18789")
      await form.getByRole("button", { name: "Add gateway" }).click()
      await settings.getByText("Start it with http, https, ws or wss").waitFor()
      await form.getByRole("textbox", { name: "Address" }).fill(second.env.GATEWAY_URL)
      await form.getByRole("button", { name: "Add gateway" }).click()
      await settings.getByText("Enter the token of the gateway at this address.").waitFor()
      await form.getByLabel("Token").fill(second.env.GATEWAY_TOKEN)
      await settings.getByRole("button", { name: "Add gateway" }).click()
      const added = settings
        .getByRole("list", { name: "Gateways" })
        .getByRole("listitem")
        .filter({ hasText: "Workshop" })
      await added.getByText("Connected", { exact: true }).waitFor()
      await row(page, "@workshop:agent:main:main").waitFor()
      assert.strictEqual(await mark(page, "agent:main:main").textContent(), "HHome")
      assert.strictEqual(await mark(page, "@workshop:agent:main:main").textContent(), "WWorkshop")
    }))

  for (const size of ["desktop", "phone"] as const)
    it(`are talked to side by side, also where both have a session of the same key (${size})`, () =>
      withPage(browser, { size }, async (page) => {
        await page.goto(`${console.url}/chat/agent:main:main`)
        await connected(page)
        await say(page, "say at home")
        await finishedAnswer(page, /at home/)
        await drawer(page, size)
        await keepPicture(page, `gateways-sessions-${size}`)
        assert.deepStrictEqual(await accessProblems(page), [])
        await row(page, "@workshop:agent:main:main").click()
        await page.waitForURL("**/chat/@workshop:agent:main:main")
        // The address changes before the other session is drawn.
        await page.locator(".message", { hasText: "at home" }).first().waitFor({ state: "detached" })
        await say(page, "say at work")
        await finishedAnswer(page, /at work/)
        await page.reload()
        await finishedAnswer(page, /at work/)
        await keepPicture(page, `gateways-chat-${size}`)
      }))

  it("a new session is started on the one that is chosen", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${console.url}/chat`)
      await row(page, "@workshop:agent:main:main").waitFor()
      await page.getByRole("button", { name: "New session" }).click()
      await page.locator("#start-gateway").selectOption({ label: "Workshop" })
      await page.waitForURL("**/chat/@workshop:**")
      await page.locator(".chat-head").getByText("main · Workshop").waitFor()
      await say(page, "say hammer")
      await finishedAnswer(page, /hammer/)
    }))

  it("a card runs on the gateway it names, and says so", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${console.url}/board?panel=new`)
      await page.getByLabel("Title").fill("say nails")
      await page.locator("#task-gateway").selectOption({ label: "Workshop" })
      await keepPicture(page, "gateways-card")
      await page.getByRole("button", { name: "Add card" }).click()
      const card = page.locator(".card", { hasText: "say nails" })
      await card.locator(".gateway-mark").waitFor()
      const { items } = Object(await call("GET", "/api/kanban/tasks?q=nails"))
      await call("POST", `/api/kanban/tasks/${items[0].id}/execute`)
      await page.locator("[data-column=review] .card", { hasText: "say nails" }).waitFor()
      await keepPicture(page, "gateways-board")
      const runs = await call("GET", "/api/kanban/tasks?q=nails")
      assert.strictEqual(Object(runs).items[0].run.gatewayId, "workshop")
    }))

  it("jobs, skills and usage are those of the gateway that is chosen", () =>
    withPage(browser, {}, async (page) => {
      const job = {
        name: "Sweep the workshop",
        schedule: { kind: "every", everyMs: 3_600_000 },
        sessionTarget: "isolated",
        wakeMode: "now",
        payload: { kind: "agentTurn", message: "sweep" }
      }
      await call("POST", "/api/crons?gateway=workshop", { job })
      await page.goto(`${console.url}/operations/crons`)
      const choice = page.getByLabel("Gateway", { exact: true })
      await choice.waitFor()
      assert.strictEqual(await page.getByText("Sweep the workshop").count(), 0)
      await choice.selectOption({ label: "Workshop" })
      await page.getByRole("link", { name: "Sweep the workshop" }).waitFor()
      await keepPicture(page, "gateways-jobs")
      assert.deepStrictEqual(await accessProblems(page), [])
      await page.getByRole("link", { name: "Skills" }).click()
      await page.getByRole("heading", { name: "Skills" }).waitFor()
      assert.strictEqual(await choice.inputValue(), "workshop")
      await page.getByRole("link", { name: "Usage" }).click()
      await choice.selectOption({ label: "All gateways" })
      await page.getByRole("heading", { name: "Usage" }).waitFor()
    }))

  it("the knowledge of an added gateway's agent is read and changed where it is, and an older one shows no files", () =>
    withPage(browser, { expectedErrors: [/status of 403/] }, async (page) => {
      await call("POST", "/api/memories?gateway=workshop", { text: "Tea rather than coffee", section: "General" })
      await call("PUT", "/api/workspace/soul?gateway=workshop", { content: "# Soul\n" })
      await page.goto(`${console.url}/chat/@workshop:agent:main:main`)
      await page.getByRole("button", { name: "More for this conversation" }).click()
      await page.getByRole("menuitem", { name: "Knowledge" }).click()
      await page.waitForURL(/agent=%40workshop%3Amain/)
      await page.goto(`${console.url}/knowledge?agent=main`)
      await page.locator("#knowledge-agent").selectOption({ label: "main · Workshop" })
      await page.waitForURL(/agent=%40workshop%3Amain/)
      await page.getByText("Tea rather than coffee").waitFor()
      await keepPicture(page, "gateways-knowledge")
      await page.getByRole("link", { name: "Documents" }).click()
      await page.getByRole("link", { name: "SOUL.md" }).click()
      await page.getByRole("button", { name: "Edit", exact: true }).click()
      await page.locator(".editor .cm-content").click()
      await page.keyboard.press("Control+a")
      await page.keyboard.type("Told from afar.")
      await page.locator(".save-state", { hasText: /^Unsaved$/ }).waitFor()
      await page.keyboard.press("Control+s")
      await page.locator(".save-state", { hasText: /^Saved$/ }).waitFor()
      await page.getByRole("link", { name: "Files", exact: true }).click()
      await page.getByText("This gateway doesn't show its agents' files").waitFor()
      const { content } = fieldsOf(await call("GET", "/api/workspace/soul?gateway=workshop"))
      assert.strictEqual(content, "Told from afar.")
    }))

  it("the files of a newer one's agents can be read, by their address too, and not changed", () =>
    withPage(browser, {}, async (page) => {
      await call("POST", "/api/gateways", { name: "Barn", url: third.env.GATEWAY_URL, token: third.env.GATEWAY_TOKEN })
      await page.goto(`${console.url}/knowledge/files?agent=%40barn%3Amain`)
      const file = (name: string) => page.getByRole("treeitem", { name, exact: true })
      await file("memory").click()
      await file("2026-01-05.md").click()
      await page.getByText("Said hello").waitFor()
      assert.strictEqual(await page.locator(".file-tree .menu-button, .file-tree button").count(), 0)
      assert.deepStrictEqual(await accessProblems(page), [])
      await keepPicture(page, "gateways-files")
      await page.reload()
      await page.getByText("Said hello").waitFor()
      await file("2026-01-05.md").waitFor()
      await call("DELETE", "/api/gateways/barn")
    }))

  it("the settings lead to the state of each, with its own address", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${console.url}/settings/gateways`)
      await page.getByRole("link", { name: /^Workshop Connected View status/ }).click()
      await page.waitForURL("**/operations/gateway?gateway=workshop")
      await page.getByText(second.env.GATEWAY_URL.replace(/^http/, "ws"), { exact: true }).waitFor()
      await page.getByRole("button", { name: "Copy address" }).waitFor()
      assert.strictEqual(await page.getByRole("combobox", { name: "Gateway" }).inputValue(), "workshop")
      assert.deepStrictEqual(await accessProblems(page), [])
      await keepPicture(page, "gateways-state")
      await page.reload()
      await page.getByText(second.env.GATEWAY_URL.replace(/^http/, "ws"), { exact: true }).waitFor()
      await page.getByRole("link", { name: "Skills" }).click()
      await page.waitForURL("**/operations/skills")
      assert.strictEqual(await page.getByRole("combobox", { name: "Gateway" }).inputValue(), "workshop")
      await page.goBack()
      await page.getByRole("combobox", { name: "Gateway" }).selectOption("primary")
      await page.waitForURL("**/operations/gateway")
      await page.getByText(first.env.GATEWAY_URL.replace(/^http/, "ws"), { exact: true }).waitFor()
    }))

  it("one that is gone leaves the others as they are, and is back by itself", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${console.url}/chat/agent:main:main`)
      await connected(page)
      await row(page, "@workshop:agent:main:main").waitFor()
      await second.run(({ stop }) => stop)
      await say(page, "say still here")
      await finishedAnswer(page, /still here/)
      assert.strictEqual(await page.locator("[data-banner]").count(), 0)
      await second.run(({ start }) => start)
      await row(page, "@workshop:agent:main:main").click()
      await say(page, "say back again")
      await finishedAnswer(page, /back again/)
    }))

  it("one is removed: its sessions go, and an address of one says so", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${console.url}/settings/gateways`)
      await page.getByRole("button", { name: "Remove Workshop" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
      await page.getByText("Workshop was removed.").waitFor()
      await page.goto(`${console.url}/chat/@workshop:agent:main:main`)
      await page.getByText("This session's gateway was removed.").waitFor()
      assert.strictEqual(await page.locator(".gateway-mark").count(), 0)
    }))
})
